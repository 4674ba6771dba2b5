#include "selection/constraint_checks.hpp"

#include "catalog/functions.hpp"
#include "model/limbs.hpp"
#include "reference/constraint_rows.hpp"
#include "reference/outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/QR>

#include <algorithm>
#include <random>

namespace featherline {
namespace {

bool take_constraints(const std::vector<std::string>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const std::string& name) {
    return catalog::takes_constraints(*catalog::find(name));
  });
}

reference::State some_state(const model::Tree& tree) {
  std::mt19937 random(1);
  return reference::random_state(tree, random);
}

/// The coordinates of one limb.
std::vector<int> coordinates_of(const model::Folding& folding, int group, std::size_t lane) {
  std::vector<int> list;
  for (std::size_t k = 0; k < folding.velocities.size(); ++k) {
    if (folding.group_of_velocity[k] == group && lane < folding.velocities[k].size())
      list.push_back(folding.velocities[k][lane]);
  }
  return list;
}

/// The rows of constraints with an end on a body that one of these coordinates moves first.
std::vector<int> rows_on(const model::Tree& tree, const std::vector<int>& coordinates) {
  std::vector<int> rows;
  for (const model::Constraint& constraint : tree.constraints.all) {
    const auto is_on_limb = [&](const model::Anchor& anchor) {
      const int body = model::body_of(tree, anchor);
      return body >= 0 && std::count(coordinates.begin(), coordinates.end(),
                                     tree.bodies[static_cast<std::size_t>(body)].joint.idx_v) > 0;
    };
    if (std::none_of(constraint.anchors.begin(), constraint.anchors.end(), is_on_limb)) continue;
    for (int r = 0; r < constraint.num_rows(); ++r) rows.push_back(constraint.first_row + r);
  }
  return rows;
}

void check_gains(const std::vector<std::string>& functions, const Options& options,
                 const model::UserTree& tree) {
  const auto& all = tree.constraints.all;
  const bool has_anchors = !tree.chosen.anchors.empty();
  const bool has_position =
      has_anchors || std::any_of(all.begin(), all.end(), [](const auto& c) { return c.is_loop(); });
  const bool have_gains = std::any_of(functions.begin(), functions.end(), [](const std::string& name) {
    return catalog::find(name)->depends.stabilisation;
  });
  if (has_anchors && have_gains && options.kp == 0.0 && !tree.chosen.stabilisation)
    throw UsageError(
        "--parameters anchors: KP of the stabilisation is 0, so nothing pulls at the anchors; add for "
        "example --stabilisation 400,40, or the parameter stabilisation");
  if (options.kp != 0.0 && !has_position)
    throw UsageError(
        fmt::format("--stabilisation: KP is {}, and none of the constraints has a position to hold, as loops "
                    "have; contacts and wheels hold velocity: write 0,{}, or give contacts a position with "
                    "--parameters anchors",
                    options.kp, options.kd));
}

void warn_of_unused(const std::vector<std::string>& functions, const model::UserTree& tree,
                    const std::string& file, Diagnostics& findings) {
  const std::size_t shown = std::min<std::size_t>(functions.size(), 3);
  const std::string others =
      functions.size() > shown ? fmt::format(" and {} others", functions.size() - shown) : "";
  const bool is_one = tree.constraints.count() == 1;
  findings.warning(
      Finding::unused_constraints, {file, tree.constraints.all.front().line, "robot"},
      fmt::format("{} of the URDF {} no effect: {}{} {} computed without {}",
                  is_one ? "the <featherline_constraint>"
                         : fmt::format("the {} <featherline_constraint>", tree.constraints.count()),
                  is_one ? "has" : "have",
                  fmt::join(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                  others, functions.size() == 1 ? "is" : "are", is_one ? "it" : "them"),
      "add constrained dynamics, e.g. --functions dynamics,constraints");
}

void warn_of_dependent_rows(const model::UserTree& tree, const std::string& file, Diagnostics& findings) {
  const model::Constraints& constraints = tree.constraints;
  const std::vector<bool> depends = reference::dependent_rows(tree, some_state(tree));
  const auto lost = std::count(depends.begin(), depends.end(), true);
  if (lost == 0) return;
  std::vector<std::string> names;
  int line = 0;
  for (const model::Constraint& constraint : constraints.all) {
    const auto first = depends.begin() + constraint.first_row;
    if (std::count(first, first + constraint.num_rows(), true) == 0) continue;
    names.push_back(in_quotes(constraint.name));
    if (line == 0) line = constraint.line;
  }
  findings.warning(
      Finding::dependent_constraints, {file, line, "robot"},
      fmt::format("the constraints have {} rows on {} degrees of freedom, and {} of rank at a random state: "
                  "rows of {} depend on rows before them",
                  constraints.num_rows(), tree.nv, constraints.num_rows() - lost, fmt::join(names, ", ")),
      (constraints.num_rows() - lost == tree.nv
           ? "nothing can move; check the places and axes of the constraints. "
           : "") +
          std::string("accelerations are right if the constraints do not contradict each other; forces in "
                      "these rows are not determined"));
}

}  // namespace

void check_constraints(const std::vector<std::string>& functions, const Options& options,
                       const model::UserTree& tree, const std::string& file, Diagnostics& findings) {
  if (take_constraints(functions)) {
    check_gains(functions, options, tree);
    warn_of_dependent_rows(tree, file, findings);
  } else if (options.contacts.empty() && tree.constraints.count() > 0) {
    warn_of_unused(functions, tree, file, findings);
  }
}

bool limbs_move_all_rows(const model::UserTree& tree) {
  constexpr double least_pivot = 1e-3;  // of the largest; a random state is not stretched by chance
  const Eigen::MatrixXd J = reference::constraint_jacobian(tree, some_state(tree).q);
  const model::Folding folding = model::fold_bodies(tree);
  for (std::size_t k = 0; k < folding.velocities.size(); ++k) {
    for (std::size_t lane = 0; lane < folding.velocities[k].size(); ++lane) {
      if (folding.group_of_velocity[k] < 0) continue;
      const std::vector<int> coordinates = coordinates_of(folding, folding.group_of_velocity[k], lane);
      const std::vector<int> rows = rows_on(tree, coordinates);
      if (rows.empty()) continue;
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J(rows, coordinates).transpose());
      qr.setThreshold(least_pivot);
      if (qr.rank() < static_cast<Eigen::Index>(rows.size())) return false;
    }
  }
  return true;
}

}  // namespace featherline
