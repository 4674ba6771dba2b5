#include "constrained_robots.hpp"

#include "ir/interpreter.hpp"
#include "support/dense.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

namespace featherline::test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd flat(const MatrixXd& A) { return Eigen::Map<const VectorXd>(A.data(), A.size()); }
MatrixXd matrix(const VectorXd& values, Index rows) {
  return Eigen::Map<const MatrixXd>(values.data(), rows, rows > 0 ? values.size() / rows : 0);
}

std::vector<const catalog::FunctionSpec*> constraint_functions() {
  std::vector<const catalog::FunctionSpec*> list;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (function.group.name == catalog::constraints.name) list.push_back(&function);
  }
  return list;
}

std::vector<const catalog::Formulation*> formulations(const catalog::FunctionSpec& function,
                                                      const model::Tree& tree) {
  std::vector<const catalog::Formulation*> list;
  for (const catalog::Formulation& formulation : function.formulations) {
    if (formulation.in_lanes() || formulation.in_loops()) continue;
    if (formulation.applies(tree)) list.push_back(&formulation);
  }
  return list;
}

Values judged(const std::string& function, const model::Tree& tree, const reference::State& x) {
  Values values;
  for (const reference::OutputArray& array : reference::find_outputs(function)->compute(tree, x))
    values[array.name] =
        Eigen::Map<const VectorXd>(array.values.data(), static_cast<Index>(array.values.size()));
  return values;
}

std::vector<Values> AllWays::operator()(const std::string& function, const reference::State& x) {
  std::vector<Values> ways{judged(function, tree_, x)};
  const catalog::FunctionSpec& spec = *catalog::find(function);
  const auto [kernels, is_first] = kernels_.try_emplace(function);
  if (is_first) {
    for (const catalog::Formulation* formulation : formulations(spec, traced_))
      kernels->second.push_back(catalog::trace(spec, *formulation, traced_));
  }
  for (const ir::Kernel& kernel : kernels->second) {
    const auto arrays = ir::evaluate(kernel, verify::inputs_of(kernel, x));
    Values& values = ways.emplace_back();
    for (std::size_t k = 0; k < arrays.size(); ++k)
      values[spec.outputs[k].name] =
          Eigen::Map<const VectorXd>(arrays[k].data(), static_cast<Index>(arrays[k].size()));
  }
  return ways;
}

std::vector<Values> all_ways(const std::string& function, const model::UserTree& tree,
                             const reference::State& x) {
  return AllWays(tree, catalog::find(function)->uses_common_frames)(function, x);
}

double condition_of(const model::Tree& tree, const reference::State& x) {
  const VectorXd lambda = judged("constrained_dynamics", tree, x).at("lambda");
  const MatrixXd D = matrix(judged("delassus", tree, x).at("D"), lambda.size());
  // Forces of dependent rows are zero; of a contact of a floating robot they are in the axes of the base, so that D has
  // values of zero left.
  std::vector<Index> rows;
  for (Index r = 0; r < lambda.size(); ++r) {
    if (lambda[r] != 0.0) rows.push_back(r);
  }
  if (rows.empty()) return 1.0;
  const VectorXd values = eigenvalues(D(rows, rows));
  const double largest = values[values.size() - 1];
  double least = largest;
  for (const double value : values) {
    if (value > 1e-12 * largest) least = std::min(least, value);
  }
  return largest / least;
}

double allowed_at(double condition) { return condition > 1e6 ? 1e-8 : 1e-10; }

reference::State state_of(const model::Tree& tree, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  return reference::random_state(tree, random);
}

bool has_contacts(const model::Tree& tree) {
  const auto& all = tree.constraints.all;
  return std::any_of(all.begin(), all.end(), [](const model::Constraint& c) { return c.is_contact(); });
}

model::UserTree constrained_robot(std::uint64_t seed) {
  RobotOptions robot;
  robot.joints = 1 + static_cast<int>(seed % 9);
  robot.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  robot.straight = seed % 4 == 0 ? 1.0 : 0.5;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.gravity = seed % 5 == 4 ? model::Vector3(1.0, -2.0, 3.0) : build.gravity;
  model::UserTree tree = random_tree(seed, robot, build);
  tree.constraints = random_constraints(tree, seed, 1 + static_cast<int>(seed % 4));
  if (seed % 3 != 0) {
    tree.constraints.kp = 30.0;
    tree.constraints.kd = 10.0;
  }
  for (int k = 0; k < tree.nv; ++k) {
    if ((build.floating_base && k < 6) || (static_cast<int>(seed) + k) % 4 == 0)
      tree.constraints.without_motor.push_back(k);
  }
  tree.constraints.length = 0.4;
  if (seed % 5 == 3 && tree.links.back().body >= 0) {
    const std::string link = tree.links.back().name;
    tree.chosen = model::choose_inputs(tree, {link}, {"gravity", "payload:" + link, "stabilisation"});
  } else if (seed % 7 == 1) {
    tree.chosen = model::choose_inputs(tree, {}, {"stabilisation"});
  } else if (seed % 2 == 0 && has_contacts(tree)) {
    tree.chosen = model::choose_inputs(tree, {}, {"anchors"});
  }
  return tree;
}

}  // namespace featherline::test
