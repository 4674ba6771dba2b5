// Steps in time: the order of each method, a stiff spring, quaternions, steps of length zero and NaN. That they agree
// with the reference solver is for traced_functions.
#include "catalog/functions.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace property::steps {

using namespace featherline;
using Eigen::VectorXd;
using model::Integrator;

namespace {

struct Point {
  VectorXd q, v;
};

/// A robot and its step, run by the interpreter.
class Stepped {
 public:
  Stepped(std::uint64_t seed, const test::RobotOptions& robot, bool floating, Integrator integrator,
          const char* drives = nullptr)
      : tree_(make_tree(seed, robot, floating)) {
    Diagnostics findings;
    if (drives != nullptr) model::set_joint_dynamics(tree_, drives, "drives.txt", findings);
    tree_.integrator = integrator;
    const catalog::FunctionSpec& function = *catalog::find("step");
    kernel_ = passes::make_program(passes::simplify(catalog::trace(function, function.formulations.front(),
                                                                   in_chosen_frames(tree_, false))),
                                   {});
  }

  const model::UserTree& tree() const { return tree_; }
  /// The outputs of another function.
  std::vector<VectorXd> values(const char* name, const std::vector<VectorXd>& inputs) const {
    const catalog::FunctionSpec& function = *catalog::find(name);
    const auto kernel =
        catalog::trace(function, function.formulations.front(), in_chosen_frames(tree_, false));
    std::vector<std::vector<double>> lists;
    for (const VectorXd& x : inputs) lists.emplace_back(x.begin(), x.end());
    std::vector<VectorXd> outputs;
    for (const std::vector<double>& x : ir::evaluate(kernel, lists))
      outputs.push_back(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
    return outputs;
  }
  Point step(const Point& x, const VectorXd& tau, double dt) const {
    const auto list = [](const VectorXd& values) {
      return std::vector<double>(values.begin(), values.end());
    };
    const auto next = ir::KernelInterpreter<>(kernel_, {list(x.q), list(x.v), list(tau), {dt}}).run();
    return {Eigen::Map<const VectorXd>(next[0].data(), tree_.nq),
            Eigen::Map<const VectorXd>(next[1].data(), tree_.nv)};
  }
  Point steps(Point x, const VectorXd& tau, double time, int count) const {
    for (int k = 0; k < count; ++k) x = step(x, tau, time / count);
    return x;
  }

 private:
  static model::UserTree make_tree(std::uint64_t seed, const test::RobotOptions& robot, bool floating) {
    model::BuildOptions build;
    build.floating_base = floating;
    return test::random_tree(seed, robot, build);
  }

  model::UserTree tree_;
  ir::Kernel kernel_;
};

test::RobotOptions arm() {
  test::RobotOptions robot;
  robot.joints = 3;
  robot.types = {model::JointType::revolute};
  return robot;
}

Point start(const model::UserTree& tree) {
  std::mt19937 random(1);
  const reference::State x = reference::random_state(tree, random);
  return {x.q, 0.1 * x.v};
}

double distance(const Point& x, const Point& y) {
  return std::max((x.q - y.q).cwiseAbs().maxCoeff(), (x.v - y.v).cwiseAbs().maxCoeff());
}

/// By how much the error shrinks if steps are half as long.
double gain_of_halving(Integrator integrator) {
  const Stepped robot(3, arm(), false, integrator), judge(3, arm(), false, Integrator::rk4);
  const VectorXd tau = VectorXd::Zero(robot.tree().nv);
  const Point x = start(robot.tree());
  constexpr double time = 0.01;
  const Point exact = judge.steps(x, tau, time, 512);
  return distance(robot.steps(x, tau, time, 8), exact) / distance(robot.steps(x, tau, time, 16), exact);
}

}  // namespace

TEST_CASE("errors shrink with the order of the method") {
  CHECK(gain_of_halving(Integrator::semi_implicit) == doctest::Approx(2.0).epsilon(0.15));
  CHECK(gain_of_halving(Integrator::rk4) == doctest::Approx(16.0).epsilon(0.25));
}

TEST_CASE("stiff springs and dampers stay stable, and end where the spring rests") {
  // JOINT DAMPING FRICTION ARMATURE STIFFNESS REST: a hundred times stiffer than an explicit step of 10 ms would bear
  const Stepped robot(3, arm(), false, Integrator::semi_implicit, "* 1e5 0 1e-3 1e8 0.25");
  Point x = start(robot.tree());
  x = robot.steps(x, VectorXd::Zero(robot.tree().nv), 20.0, 2000);
  CHECK((x.q.array() - 0.25).abs().maxCoeff() < 1e-4);  // gravity bends them a little
  CHECK(x.v.cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("quaternions stay unit, and a step of length zero is none") {
  test::RobotOptions all;
  all.joints = 8;
  for (const Integrator integrator : {Integrator::semi_implicit, Integrator::rk4}) {
    const Stepped robot(1, all, true, integrator);
    const VectorXd tau = VectorXd::Zero(robot.tree().nv);
    const Point x = start(robot.tree()), same = robot.step(x, tau, 0.0);
    CHECK(distance(same, x) < 1e-15);
    Point moved = x;
    for (int k = 0; k < 200; ++k) moved = robot.step(moved, tau, 1e-4);
    for (const model::Body& body : robot.tree().bodies) {
      const int first = body.joint.row().quaternion();
      if (first < 0 || body.joint.mimics >= 0) continue;
      CHECK(std::abs(moved.q.segment<4>(body.joint.idx_q + first).norm() - 1.0) < 4e-15);
    }
  }
}

TEST_CASE("a negative step goes back, and NaN is passed on") {
  const Stepped robot(3, arm(), false, Integrator::rk4);
  const VectorXd tau = VectorXd::Zero(robot.tree().nv);
  const Point x = start(robot.tree());
  CHECK(distance(robot.step(robot.step(x, tau, 1e-3), tau, -1e-3), x) < 1e-8);
  const Point lost = robot.step(x, tau, std::numeric_limits<double>::quiet_NaN());
  CHECK(!(lost.q.array() == lost.q.array()).any());
  CHECK(!(lost.v.array() == lost.v.array()).any());
}

TEST_CASE("derivatives of a step of length zero are those of none, and NaN is passed on") {
  test::RobotOptions all;
  all.joints = 8;
  for (const Integrator integrator : {Integrator::semi_implicit, Integrator::rk4}) {
    const Stepped robot(1, all, true, integrator);
    const Point x = start(robot.tree());
    const int n = robot.tree().nv;
    const VectorXd tau = VectorXd::Zero(n), w = VectorXd::LinSpaced(2 * n, -1.0, 2.0);
    const auto A_and_B = robot.values("step_derivatives", {x.q, x.v, tau, VectorXd::Zero(1)});
    CHECK((A_and_B[0].reshaped(2 * n, 2 * n) - Eigen::MatrixXd::Identity(2 * n, 2 * n)).norm() < 1e-14);
    CHECK(A_and_B[1].norm() == 0.0);
    const auto products = robot.values("step_vjp", {x.q, x.v, tau, VectorXd::Zero(1), w});
    CHECK((products[0] - w.head(n)).norm() < 1e-14);
    CHECK((products[1] - w.tail(n)).norm() < 1e-14);
    CHECK(products[2].norm() == 0.0);
    const VectorXd lost = VectorXd::Constant(1, std::numeric_limits<double>::quiet_NaN());
    for (const VectorXd& values : robot.values("step_vjp", {x.q, x.v, tau, lost, w}))
      CHECK(!(values.array() == values.array()).any());
  }
}

}  // namespace property::steps
