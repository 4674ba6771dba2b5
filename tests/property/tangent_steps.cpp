// Steps in the configuration space: integrate and difference undo each other, derivatives agree with the complex step,
// at tiny, middling and large angles, for every joint type; and the values of an independent library.
#include "catalog/functions.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "joints/joint_table.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/graph_values.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "support/shared_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace property::tangent_steps {

using namespace featherline;
using Eigen::VectorXd;
using nlohmann::json;

namespace {

constexpr double pi = 3.14159265358979323846;

/// The functions of a robot, run by the interpreter.
class Steps {
 public:
  explicit Steps(model::UserTree tree) : tree_(std::move(tree)), traced_(in_chosen_frames(tree_, false)) {}

  const model::UserTree& tree() const { return tree_; }

  VectorXd integrate(const VectorXd& q, const VectorXd& dv) const {
    return run("integrate", {q, dv}).front();
  }
  VectorXd difference(const VectorXd& q0, const VectorXd& q1) const {
    return run("difference", {q0, q1}).front();
  }
  std::vector<VectorXd> run(const std::string& name, const std::vector<VectorXd>& inputs) const {
    std::vector<VectorXd> outputs;
    for (const std::vector<double>& values : ir::evaluate(kernel(name), arrays(inputs)))
      outputs.emplace_back(
          Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
    return outputs;
  }
  std::vector<float> run_in_float(const std::string& name, const std::vector<VectorXd>& inputs) const {
    return test::graph_values<float>(kernel(name), arrays(inputs)).front();
  }
  ir::Kernel kernel(const std::string& name) const {
    const catalog::FunctionSpec& function = *catalog::find(name);
    return catalog::trace(function, function.formulations.front(), traced_);
  }

 private:
  static std::vector<std::vector<double>> arrays(const std::vector<VectorXd>& inputs) {
    std::vector<std::vector<double>> list;
    for (const VectorXd& input : inputs) list.emplace_back(input.begin(), input.end());
    return list;
  }

  model::UserTree tree_;
  model::CanonicalTree traced_;
};

template <class F>
void for_each_own_joint(const model::Tree& tree, const F& f) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) f(body.joint);
  }
}

/// A random step that turns every joint whose velocity is in the axes of its child by `angle`.
VectorXd random_step(const model::Tree& tree, double angle, std::mt19937& random) {
  VectorXd dv = reference::uniform_vector(tree.nv, 1.0, random);
  for_each_own_joint(tree, [&](const model::Joint& joint) {
    if (joint.row().moves_on_axes()) return;
    auto turn = dv.segment(joint.idx_v + joint.row().num_slides(), joint.row().num_turns());
    turn *= angle / turn.norm();
  });
  return dv;
}

/// q with the quaternions that are nearer to those of `like`.
VectorXd with_signs_of(const model::Tree& tree, VectorXd q, const VectorXd& like) {
  for_each_own_joint(tree, [&](const model::Joint& joint) {
    if (joint.row().quaternion() < 0) return;
    const int first = joint.idx_q + joint.row().quaternion();
    if (q.segment<4>(first).dot(like.segment<4>(first)) < 0.0) q.segment<4>(first) *= -1.0;
  });
  return q;
}

void check_unit(const model::Tree& tree, const VectorXd& q) {
  for_each_own_joint(tree, [&](const model::Joint& joint) {
    if (joint.row().quaternion() >= 0)
      CHECK(std::abs(q.segment<4>(joint.idx_q + joint.row().quaternion()).norm() - 1.0) <= 1e-15);
  });
}

/// Every joint type alone, at the root and behind others, then all types with mimic joints.
std::vector<Steps> robots() {
  std::vector<Steps> list;
  for (const model::JointRow& row : model::joint_table()) {
    if (row.type == model::JointType::fixed) continue;
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      test::RobotOptions robot;
      robot.types = {row.type};
      robot.joints = 1 + 2 * static_cast<int>(seed);
      list.emplace_back(test::random_tree(seed, robot));
    }
  }
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    test::RobotOptions robot;
    robot.joints = 12;
    robot.mimic = 0.3;
    model::BuildOptions build;
    build.floating_base = seed % 2 == 1;
    list.emplace_back(test::random_tree(seed, robot, build));
  }
  return list;
}

/// q with all quaternions times [1 0 0 0]: half turns, whose scalar is zero.
VectorXd half_turned(const model::Tree& tree, const VectorXd& q) {
  VectorXd turned = q;
  for_each_own_joint(tree, [&](const model::Joint& joint) {
    if (joint.row().quaternion() < 0) return;
    const auto from = q.segment<4>(joint.idx_q + joint.row().quaternion());
    turned.segment<4>(joint.idx_q + joint.row().quaternion()) << from[3], from[2], -from[1], -from[0];
  });
  return turned;
}

/// Zeros, and quaternions that do not turn.
VectorXd neutral(const model::Tree& tree) {
  VectorXd q = VectorXd::Zero(tree.nq);
  for_each_own_joint(tree, [&](const model::Joint& joint) {
    if (joint.row().quaternion() >= 0) q[joint.idx_q + joint.row().quaternion() + 3] = 1.0;
  });
  return q;
}

}  // namespace

TEST_CASE("difference undoes integrate, for angles from nothing to pi") {
  std::mt19937 random(1);
  for (const Steps& robot : robots()) {
    for (const double angle :
         {0.0, 1e-300, 1e-18, 1e-12, 1e-8, 1e-5, 1e-3, 0.1, 1.0, 2.5, 3.1, 3.14, 3.1415926}) {
      CAPTURE(angle);
      const VectorXd q = reference::random_state(robot.tree(), random).q;
      const VectorXd dv = random_step(robot.tree(), angle, random);
      const VectorXd next = robot.integrate(q, dv);
      check_unit(robot.tree(), next);
      CHECK((robot.difference(q, next) - dv).lpNorm<Eigen::Infinity>() <= 1e-13);
    }
  }
}

TEST_CASE("integrate undoes difference") {
  std::mt19937 random(2);
  for (const Steps& robot : robots()) {
    for (int trial = 0; trial < 20; ++trial) {
      const reference::State x = reference::random_state(robot.tree(), random);
      const VectorXd q1 = trial == 0 ? half_turned(robot.tree(), x.q) : trial == 1 ? x.q : x.q1;
      const VectorXd dv = robot.difference(x.q, q1);
      const VectorXd next = with_signs_of(robot.tree(), robot.integrate(x.q, dv), q1);
      CHECK(test::relative_error(next, q1) <= 1e-13);
      for_each_own_joint(robot.tree(), [&](const model::Joint& joint) {  // the short way
        if (joint.row().quaternion() < 0) return;
        CHECK(dv.segment<3>(joint.idx_v + joint.row().num_slides()).norm() <= pi + 1e-14);
      });
    }
  }
}

TEST_CASE("tiny steps from the neutral position keep all digits") {
  std::mt19937 random(3);
  for (const Steps& robot : robots()) {
    const VectorXd q = neutral(robot.tree());
    for (const double size : {1e-300, 1e-150, 1e-30, 1e-18, 1e-9}) {
      CAPTURE(size);
      const VectorXd dv = size * random_step(robot.tree(), 1.0, random);
      const VectorXd back = robot.difference(q, robot.integrate(q, dv));
      CHECK((back - dv).lpNorm<Eigen::Infinity>() <= 2e-15 * size);
    }
  }
}

TEST_CASE("integrate and its derivatives agree with the reference at every angle") {
  std::mt19937 random(4);
  for (const Steps& robot : robots()) {
    for (const double angle :
         {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 1e-2, 0.5, 0.999999, 1.0, 1.000001, 2.0, pi, 4.0, 6.2}) {
      CAPTURE(angle);
      reference::State x = reference::random_state(robot.tree(), random);
      x.dv = random_step(robot.tree(), angle, random);
      for (const char* name : {"integrate", "integrate_derivatives"}) {
        CAPTURE(name);
        const reference::Outputs expected = reference::find_outputs(name)->compute(robot.tree(), x);
        const std::vector<VectorXd> found = robot.run(name, {x.q, x.dv});
        for (std::size_t k = 0; k < found.size(); ++k) {
          const std::vector<double>& values = expected[k].values;
          CHECK(test::relative_error(found[k], Eigen::Map<const VectorXd>(values.data(), found[k].size())) <=
                1e-13);
        }
      }
    }
  }
}

TEST_CASE("float is right to its own precision") {
  std::mt19937 random(5);
  for (const Steps& robot : robots()) {
    for (const double angle : {0.0, 1e-30, 1e-6, 1e-3, 0.3, 1.5, 3.1}) {
      CAPTURE(angle);
      const auto in_float = [](const VectorXd& x) -> VectorXd { return x.cast<float>().cast<double>(); };
      const VectorXd q = in_float(reference::random_state(robot.tree(), random).q);
      const VectorXd dv = in_float(random_step(robot.tree(), angle, random));
      const VectorXd next = in_float(robot.integrate(q, dv));
      const auto error = [&](const char* name, const VectorXd& a, const VectorXd& b) {
        const std::vector<float> found = robot.run_in_float(name, {a, b});
        const Eigen::VectorXf values =
            Eigen::Map<const Eigen::VectorXf>(found.data(), static_cast<Eigen::Index>(found.size()));
        return test::relative_error(values.cast<double>(), robot.run(name, {a, b}).front());
      };
      CHECK(error("integrate", q, dv) <= 1e-6);
      CHECK(error("difference", q, next) <= 3e-6);
      CHECK(error("integrate_derivatives", q, dv) <= 3e-6);
    }
  }
}

TEST_CASE("quaternions stay unit over many steps") {
  std::mt19937 random(6);
  test::RobotOptions robot;
  robot.types = {model::JointType::floating, model::JointType::spherical};
  robot.joints = 2;
  const Steps steps(test::random_tree(1, robot));
  VectorXd q = reference::random_state(steps.tree(), random).q;
  for (int k = 0; k < 2000; ++k) q = steps.integrate(q, random_step(steps.tree(), 1e-2, random));
  check_unit(steps.tree(), q);
}

TEST_CASE("a planar joint may turn by more than half a turn") {
  test::RobotOptions robot;
  robot.types = {model::JointType::planar};
  robot.joints = 1;
  const Steps steps(test::random_tree(1, robot));
  for (const double angle : {3.2, 5.0, -5.5, 6.0, 7.5, -11.0}) {
    CAPTURE(angle);
    const VectorXd q0 = Eigen::Vector3d(0.3, -0.2, 0.7), q1 = Eigen::Vector3d(-1.1, 0.4, 0.7 + angle);
    const VectorXd dv = steps.difference(q0, q1);
    CHECK(dv[2] == doctest::Approx(angle));
    CHECK(test::relative_error(steps.integrate(q0, dv), q1) <= 1e-13);
  }
}

namespace {

VectorXd vector(const json& values) {
  const auto entries = values.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

/// Those in tests/reference, or ../shared/reference/more (see FeatherlineTest.cmake).
std::filesystem::path value_folder() {
  const char* wanted = std::getenv("FEATHERLINE_REFERENCE_VALUES");
  const bool shared = wanted != nullptr && std::string(wanted) == "shared";
  return shared ? test::shared_or_skip("reference") / "more" : std::filesystem::path("tests/reference");
}

Steps robot_of(const std::filesystem::path& urdf, bool floating) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = floating;
  options.mimic_independent = true;
  options.snap_tolerance = 0.0;
  model::UserTree tree = model::build_tree(formats::read_file(urdf.string(), findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return Steps(std::move(tree));
}

}  // namespace

TEST_CASE("steps agree with the independent library at 1e-10") {
  const std::filesystem::path folder = value_folder();
  const std::filesystem::path root = folder == "tests/reference" ? "." : folder.parent_path().parent_path();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const json file = json::parse(std::ifstream(entry.path()));
    const Steps robot = robot_of(root / file.at("source").get<std::string>(), file.at("base") == "floating");
    for (const json& sample : file.at("samples")) {
      const VectorXd q = vector(sample.at("q")), expected = vector(sample.at("q_integrated"));
      const VectorXd next = robot.integrate(q, 0.3 * vector(sample.at("v")));
      CHECK(test::relative_error(with_signs_of(robot.tree(), next, expected), expected) <= 1e-10);
      const VectorXd dv = robot.difference(q, vector(sample.at("q_next")));
      CHECK(test::relative_error(dv, vector(sample.at("difference"))) <= 1e-10);
      ++compared;
    }
  }
  CHECK(compared >= 15);
}

}  // namespace property::tangent_steps
