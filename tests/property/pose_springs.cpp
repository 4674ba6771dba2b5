// Springs of balls and of free joints at angles that random states do not meet, and in steps.
#include "catalog/functions.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace property::pose_springs {

using namespace featherline;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

namespace {

constexpr double agreement = 1e-10;

/// A free joint and a ball, both with springs.
model::UserTree robot() {
  test::RobotOptions options;
  options.joints = 2;
  options.types = {model::JointType::spherical, model::JointType::revolute};
  model::BuildOptions build;
  build.floating_base = true;
  model::UserTree tree = test::random_tree(2, options, build);
  test::add_pose_springs(tree, 2);
  return tree;
}

int of_type(const model::Tree& tree, model::JointType type) {
  const auto is_it = [&](const model::Body& body) { return body.joint.type == type; };
  return static_cast<int>(std::ranges::find_if(tree.bodies, is_it) - tree.bodies.begin());
}

/// [x y z w] of a turn.
Vector4d turn(const Vector3d& axis, double angle) {
  Vector4d q;
  q << axis.normalized() * std::sin(angle / 2.0), std::cos(angle / 2.0);
  return q;
}

/// Where the free joint and the ball are turned by q from rest.
reference::State turned(const model::UserTree& tree, const Vector4d& q) {
  std::mt19937 random(5);
  reference::State x = reference::random_state(tree, random);
  const model::Joint& base = tree.bodies[0].joint;
  const double* rest = base.rest_pose.data() + 3;
  const Eigen::Quaterniond from(rest[3], rest[0], rest[1], rest[2]), by(q[3], q[0], q[1], q[2]);
  x.q.segment<4>(base.idx_q + 3) = (from * by).coeffs();
  const auto ball = static_cast<std::size_t>(of_type(tree, model::JointType::spherical));
  x.q.segment<4>(tree.bodies[ball].joint.idx_q) = q;
  return x;
}

template <class Real = double>
reference::Outputs run(const ir::Kernel& function, const reference::State& x) {
  std::vector<std::vector<Real>> inputs;
  for (const std::vector<double>& values : verify::inputs_of(function, x))
    inputs.emplace_back(values.begin(), values.end());
  reference::Outputs outputs;
  const auto arrays = ir::KernelInterpreter<Real>(passes::make_program(function, {}), inputs).run();
  for (std::size_t k = 0; k < function.outputs.size(); ++k)
    outputs.push_back({function.outputs[k].name, {arrays[k].begin(), arrays[k].end()}});
  return outputs;
}

ir::Kernel traced(const model::UserTree& tree, const std::string& name) {
  const catalog::FunctionSpec& function = *catalog::find(name);
  return passes::simplify(
      catalog::trace(function, function.formulations.front(), in_chosen_frames(tree, true)));
}

}  // namespace

TEST_CASE("no angle is an exception, and both quaternions of a turn have one torque") {
  const model::UserTree tree = robot();
  const Vector3d axis(0.3, -0.5, 0.7);
  constexpr double pi = std::numbers::pi;
  for (const char* name : {"rnea", "rnea_derivatives", "rnea_vjp", "rnea_second_derivatives",
                           "rnea_vector_hessian", "aba_vjp", "step_derivatives"}) {
    CAPTURE(name);
    const ir::Kernel function = traced(tree, name);
    const reference::OutputFunction& judge = *reference::find_outputs(name);
    for (const double angle : {0.0, 1e-30, 1e-12, 1e-8, 1e-5, 1e-3, 0.1, 2.0, pi - 1e-3, pi - 1e-7}) {
      CAPTURE(angle);
      const reference::State x = turned(tree, turn(axis, angle)), other = turned(tree, -turn(axis, angle));
      const reference::Outputs expected = judge.compute(tree, x);
      CHECK(reference::compare(run(function, x), expected).relative <= agreement);
      CHECK(reference::compare(run(function, other), expected).relative <= agreement);
      if (angle < 3.0) CHECK(reference::compare(run<float>(function, x), expected).relative <= 1e-3);
    }
    // w = 0 is the half turn about u.
    const reference::State half = turned(tree, {0.0, 0.6, 0.8, 0.0}),
                           before = turned(tree, turn({0.0, 0.6, 0.8}, pi - 1e-11));
    CHECK(reference::compare(run(function, half), judge.compute(tree, before)).relative <= 1e-9);
  }
}

TEST_CASE("the torque is the gradient of the energy of the shortest turn and of the way") {
  const model::UserTree tree = robot();
  model::UserTree bare = tree;
  for (model::Body& body : bare.bodies) body.joint.stiffness = 0.0;
  const reference::State x = turned(tree, turn({0.3, -0.5, 0.7}, 1.3));
  const VectorXd zero = VectorXd::Zero(tree.nv);
  const VectorXd torque = reference::Solver<double>(tree).rnea(x.q, zero, zero) -
                          reference::Solver<double>(bare).rnea(x.q, zero, zero);
  const auto energy = [&](const VectorXd& q) {
    double sum = 0.0;
    for (const model::Body& body : tree.bodies) {
      const int first = body.joint.row().quaternion();
      if (first < 0) continue;
      const Vector4d rest = Eigen::Map<const Vector4d>(body.joint.rest_pose.data() + 3);
      const double cosine = std::abs(rest.dot(q.segment<4>(body.joint.idx_q + first)));
      const double angle = 2.0 * std::acos(cosine);
      sum += 0.5 * body.joint.stiffness * angle * angle;
      const Vector3d origin = Eigen::Map<const Vector3d>(body.joint.rest_pose.data());
      if (first > 0)
        sum += 0.5 * body.joint.stiffness * (q.segment<3>(body.joint.idx_q) - origin).squaredNorm();
    }
    return sum;
  };
  for (int k = 0; k < tree.nv; ++k) {
    const VectorXd step = 1e-5 * VectorXd::Unit(tree.nv, k);
    const double slope = (energy(reference::integrate(tree, x.q, step)) -
                          energy(reference::integrate<double>(tree, x.q, -step))) /
                         2e-5;
    CHECK(torque[k] == doctest::Approx(slope).epsilon(1e-6));
  }
}

TEST_CASE("stiff springs stay stable, and end at rest") {
  model::UserTree tree = robot();
  tree.gravity.setZero();
  for (model::Body& body : tree.bodies) {
    body.joint.damping = 1e4;
    if (body.joint.row().quaternion() >= 0) body.joint.stiffness = 1e8;
  }
  const ir::Kernel function = traced(tree, "step");
  reference::State x = turned(tree, turn({0.3, -0.5, 0.7}, 2.5));
  x.v *= 0.1;
  x.tau.setZero();
  x.dt[0] = 0.01;
  for (int k = 0; k < 200; ++k) {
    const reference::Outputs next = run(function, x);
    x.q = Eigen::Map<const VectorXd>(next[0].values.data(), tree.nq);
    x.v = Eigen::Map<const VectorXd>(next[1].values.data(), tree.nv);
  }
  const reference::State rest = turned(tree, {0.0, 0.0, 0.0, 1.0});
  for (const model::Body& body : tree.bodies) {
    const int first = body.joint.row().quaternion();
    if (first < 0) continue;
    const Vector4d q = x.q.segment<4>(body.joint.idx_q + first),
                   q0 = rest.q.segment<4>(body.joint.idx_q + first);
    CHECK(std::abs(q.dot(q0)) > 1.0 - 1e-9);
    if (first > 0)
      CHECK((x.q.segment<3>(body.joint.idx_q) - Eigen::Map<const Vector3d>(body.joint.rest_pose.data()))
                .norm() < 1e-4);
  }
  CHECK(x.v.cwiseAbs().maxCoeff() < 1e-4);
}

}  // namespace property::pose_springs
