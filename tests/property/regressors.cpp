// The regressor against the values of an independent library; base parameters against the rank of the reference
// solver's regressor.
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "formats/reader.hpp"
#include "joints/joint_table.hpp"
#include "model/chosen_inputs.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/random_rotors.hpp"
#include "support/relative_error.hpp"
#include "support/shared_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace property::regressors {

using namespace featherline;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::json;

namespace {

MatrixXd computed(const char* function, const model::UserTree& tree, const reference::State& x) {
  const reference::Outputs outputs = reference::find_outputs(function)->compute(tree, x);
  const std::vector<double>& Y = outputs.front().values;
  return Eigen::Map<const MatrixXd>(Y.data(), tree.nv, static_cast<Index>(Y.size()) / tree.nv);
}

/// The regressor of the judge at random states, one below the other.
MatrixXd stacked(const model::UserTree& tree, int states) {
  std::mt19937 random(7);
  MatrixXd rows(Index{states} * tree.nv, model::num_regressor_columns(tree));
  for (Index k = 0; k < states; ++k)
    rows.middleRows(k * tree.nv, tree.nv) =
        computed("regressor", tree, reference::random_state(tree, random));
  return rows;
}

/// Columns of length one, or zero.
MatrixXd normalised(MatrixXd columns) {
  for (auto column : columns.colwise()) {
    if (column.norm() > 1e-9) column.normalize();
  }
  return columns;
}

Index rank_of(const MatrixXd& columns) { return test::rank(normalised(columns), 1e-9); }

VectorXd own_parameters(const model::Tree& tree) {
  VectorXd parameters(model::num_regressor_columns(tree));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i)
    parameters.segment<10>(10 * static_cast<Index>(i)) = model::parameters_of(tree.bodies[i].inertia);
  for (std::size_t k = 0; k < tree.joint_columns.size(); ++k)
    parameters[static_cast<Index>(10 * tree.bodies.size() + k)] = value_of(tree, tree.joint_columns[k]);
  return parameters;
}

/// That as many columns are kept as motion can tell apart, that they are independent, and that the map leaves nothing
/// out. Returns their number.
int check_base_parameters(model::UserTree tree) {
  tree.base_parameters = algorithms::find_base_parameters(tree);
  const model::BaseParameters& base = *tree.base_parameters;
  const auto coupled = std::count_if(tree.bodies.begin(), tree.bodies.end(),
                                     [](const model::Body& body) { return body.joint.mimics >= 0; });
  const MatrixXd Y = stacked(tree, static_cast<int>(24 * (1 + coupled))), kept = Y(Eigen::all, base.columns);
  CHECK(base.count() == rank_of(Y));
  CHECK(base.count() == rank_of(kept));
  CHECK(base.map.rows() == base.count());
  CHECK((kept * base.map - Y).cwiseAbs().maxCoeff() <= 1e-10 * Y.cwiseAbs().maxCoeff());
  return base.count();
}

model::UserTree random_robot(std::uint64_t seed) {
  test::RobotOptions robot;
  robot.joints = 2 + static_cast<int>(seed % 8);
  robot.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  robot.straight = seed % 4 == 0 ? 1.0 : 0.5;
  model::BuildOptions build;
  build.floating_base = seed % 4 == 1;
  build.gravity = seed % 5 == 4 ? model::Vector3(1.0, -2.0, 3.0) : build.gravity;
  return test::random_tree(seed, robot, build);
}

model::UserTree robot_of(const std::string& urdf, bool floating = false) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = floating;
  options.mimic_independent = true;
  options.snap_tolerance = 0.0;
  model::UserTree tree = model::build_tree(formats::read_file(urdf, findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

/// Those in tests/reference, or ../shared/reference/more (see FeatherlineTest.cmake).
std::filesystem::path value_folder() {
  const char* wanted = std::getenv("FEATHERLINE_REFERENCE_VALUES");
  const bool shared = wanted != nullptr && std::string(wanted) == "shared";
  return shared ? test::shared_or_skip("reference") / "more" : std::filesystem::path("tests/reference");
}

VectorXd vector(const json& values) {
  const auto entries = values.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Index>(entries.size()));
}

reference::State state_of(const json& sample) {
  reference::State x;
  x.q = vector(sample.at("q"));
  x.v = vector(sample.at("v"));
  x.a = vector(sample.at("a"));
  return x;
}

}  // namespace

TEST_CASE("the regressor agrees with the independent library at 1e-10") {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::filesystem::path folder = value_folder();
  const std::filesystem::path root = folder == "tests/reference" ? "." : folder.parent_path().parent_path();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const json file = json::parse(std::ifstream(entry.path()));
    const model::UserTree tree =
        robot_of((root / file.at("source").get<std::string>()).string(), file.at("base") == "floating");
    const reference::OutputFunction& judge = *reference::find_outputs("regressor");
    const catalog::FunctionSpec& regressor = *catalog::find("regressor");
    const ir::Kernel kernel =
        catalog::trace(regressor, regressor.formulations.front(), in_chosen_frames(tree, false));
    for (const json& sample : file.at("samples")) {
      const VectorXd rows = vector(sample.at("regressor"));
      const MatrixXd Y = Eigen::Map<const RowMajor>(rows.data(), tree.nv, rows.size() / tree.nv);
      const reference::State x = state_of(sample);
      CHECK(test::relative_error(computed("regressor", tree, x), Y) <= 1e-10);
      CHECK(test::relative_error(Y * own_parameters(tree), vector(sample.at("tau_rnea"))) <= 1e-10);
      test::follow(kernel, judge, x, {{"Y", {Y.data(), Y.data() + Y.size()}}});
      ++compared;
    }
  }
  CHECK(compared >= 15);
}

TEST_CASE("base parameters of known robots") {
  CHECK(check_base_parameters(robot_of("robots/arm6.urdf")) == 36);  // as the PUMA 560 of Gautier and Khalil
  CHECK(check_base_parameters(robot_of("robots/arm7.urdf")) == 43);
  CHECK(check_base_parameters(robot_of("robots/quadruped.urdf", true)) == 10 + 12 * 7);
}

TEST_CASE("gravity as an input tells more parameters apart") {
  model::UserTree tree = robot_of("robots/arm7.urdf");  // its first axis is vertical
  tree.chosen.gravity = true;
  CHECK(check_base_parameters(tree) == 45);
}

TEST_CASE("base parameters of random robots are as many as the rank, and lose nothing") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    check_base_parameters(random_robot(seed));
  }
}

TEST_CASE("base parameters of every joint type, at the root and behind another one") {
  for (const model::JointRow& row : model::joint_table()) {
    if (row.type == model::JointType::fixed) continue;
    CAPTURE(row.name());
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      CAPTURE(seed);
      test::RobotOptions robot;
      robot.types = {row.type};
      robot.joints = 1 + static_cast<int>(seed % 3);
      robot.straight = seed < 4 ? 1.0 : 0.0;
      model::BuildOptions build;
      build.floating_base = seed % 2 == 1 && row.type != model::JointType::floating;
      check_base_parameters(test::random_tree(seed, robot, build));
    }
  }
}

TEST_CASE("the regressor times the robot's parameters is inverse dynamics") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = random_robot(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(tree, random);
    const VectorXd tau = reference::Solver<double>(tree).rnea(x.q, x.v, x.a);
    CHECK(test::relative_error(computed("regressor", tree, x) * own_parameters(tree), tau) <= 1e-10);
  }
}

namespace {

/// With all columns of joints that the robot can have, and drives of all joints.
model::UserTree with_columns_of_joints(model::UserTree tree, std::uint64_t seed) {
  test::Random random(seed);
  for (model::Body& body : tree.bodies) {
    if (!body.joint.row().can_be_driven()) continue;
    body.joint.armature = random.uniform(0.1, 1.0);
    body.joint.damping = random.uniform(0.1, 1.0);
    body.joint.friction = random.uniform(0.1, 1.0);
    if (!body.joint.row().moves_on_axes()) continue;
    body.joint.stiffness = random.uniform(0.1, 1.0);
    body.joint.rest = random.uniform(-1.0, 1.0);
  }
  for (const std::string& word : model::joint_column_words()) {
    try {
      const auto more = model::choose_joint_columns(tree, {word});
      tree.joint_columns.insert(tree.joint_columns.end(), more.begin(), more.end());
    } catch (const UsageError&) {  // the robot has no such joints
    }
  }
  tree.base_parameters = algorithms::find_base_parameters(tree);
  return tree;
}

model::UserTree robot_with_rotors(std::uint64_t seed) {
  test::RobotOptions options;
  options.joints = 2 + static_cast<int>(seed % 4);
  options.mimic = seed % 3 == 2 ? 0.5 : 0.0;
  description::Description robot = test::random_robot(seed, options);
  test::add_random_rotors(robot, seed);
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.allow_unphysical_inertia = true;  // what is left of a link without a rotor of any mass
  return with_columns_of_joints(test::tree_of(robot, build), seed);
}

/// Follows all formulations of both regressors.
void follow_regressors(const model::UserTree& tree, std::uint32_t seed,
                       std::map<std::string, int>& followed) {
  Plan plan;
  plan.lanes = true;
  const ChosenTrees trees = trees_in_chosen_frames(tree, plan);
  std::mt19937 random(seed);
  const reference::State x = reference::random_state(tree, random);
  for (const char* name : {"regressor", "base_regressor"}) {
    const catalog::FunctionSpec& function = catalog::with_chosen_parts(*catalog::find(name), tree);
    const reference::OutputFunction& judge = *reference::find_outputs(name);
    const reference::Outputs expected = judge.compute(tree, x);
    for (const catalog::Formulation& formulation : function.formulations) {
      if (!formulation.applies(tree)) continue;
      test::follow(formulation.in_lanes() ? catalog::trace(function, formulation, *trees.folded)
                                          : catalog::trace(function, formulation, trees.tree),
                   judge, x, expected);
      ++followed[name + (", " + formulation.name)];
    }
  }
}

}  // namespace

TEST_CASE("with columns of joints and rotors, the regressor times all parameters is inverse dynamics") {
  std::map<std::string, int> followed;
  std::set<model::ColumnKind> kinds;
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = robot_with_rotors(seed);
    for (const model::JointColumn& column : tree.joint_columns) kinds.insert(column.kind);
    std::mt19937 random(seed);
    const reference::State x = reference::random_state(tree, random);
    const VectorXd tau = reference::Solver<double>(tree).rnea(x.q, x.v, x.a);
    CHECK(test::relative_error(computed("regressor", tree, x) * own_parameters(tree), tau) <= 1e-10);
    check_base_parameters(tree);
    follow_regressors(tree, seed, followed);
  }
  follow_regressors(with_columns_of_joints(robot_of("robots/quadruped.urdf", true), 1), 1, followed);
  CHECK(kinds.size() == model::joint_column_words().size());
  CHECK(followed.size() == 5);
}

TEST_CASE("columns of joints: words that no joint can have, and words that stand there twice") {
  const auto refusal = [](const std::vector<std::string>& words) {
    try {
      model::choose_joint_columns(robot_of("robots/arm6.urdf"), words);
    } catch (const UsageError& error) { return std::string(error.what()); }
    return std::string();
  };
  CHECK(refusal({"armature", "friction"}).empty());
  CHECK(refusal({"rotor"}) == "--regressor-columns: rotor: the robot has no rotors; leave it out");
  CHECK(refusal({"damping", "damping"}) == "--regressor-columns: damping is named twice; name it once");
}

}  // namespace property::regressors
