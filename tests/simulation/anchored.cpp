// A quadruped stands with one foot beside its anchor: the foot comes to the anchor if a gain pulls it there.
#include "support/dense.hpp"

#include <anchored_quadruped.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace anchored {

namespace {

namespace robot = anchored_quadruped;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr int nq = robot::nq, nv = robot::nv, rows = robot::num_constraint_rows;

VectorXd foot_positions(const VectorXd& q) {
  VectorXd p(rows), R(9 * robot::num_frames);
  robot::frame_poses(q.data(), p.data(), R.data());
  return p;
}

/// Torques at the legs that hold the robot where it is: the feet carry its weight with the least forces.
VectorXd gravity_compensation(const VectorXd& q) {
  const VectorXd still = VectorXd::Zero(nv);
  VectorXd weight(nv);
  MatrixXd J(rows, nv);
  robot::bias(q.data(), still.data(), weight.data());
  robot::frame_jacobians(q.data(), J.data());
  const MatrixXd of_base = J.leftCols<6>().transpose();
  const VectorXd forces = featherline::test::least_squares(of_base, weight.head<6>());
  VectorXd tau = weight - J.transpose() * forces;
  tau.head<6>().setZero();
  return tau;
}

VectorXd knees_bent() {
  VectorXd q(nq);
  std::copy(std::begin(robot::neutral), std::end(robot::neutral), q.begin());
  for (int leg = 0; leg < 4; ++leg) {
    q[7 + 3 * leg + 1] = 0.8;
    q[7 + 3 * leg + 2] = -1.6;
  }
  return q;
}

/// How far a foot is from its anchor after two seconds, if at first it is one centimetre behind it.
double distance_left(double kp, double kd) {
  VectorXd q = knees_bent(), v = VectorXd::Zero(nv), anchors = foot_positions(q);
  anchors[0] += 0.01;
  VectorXd p(robot::num_parameters);
  p << anchors, kp, kd;
  const VectorXd all_feet = VectorXd::Ones(robot::num_constraints);
  constexpr double h = 1e-3;
  VectorXd a(nv), lambda(rows), next(nq);
  for (int k = 0; k < 2000; ++k) {
    VectorXd tau = gravity_compensation(q);
    tau.tail<12>() -= 2.0 * v.tail<12>();  // dampers at the joints
    robot::constrained_dynamics(q.data(), v.data(), tau.data(), all_feet.data(), p.data(), a.data(),
                                lambda.data());
    v += h * a;
    const VectorXd dq = h * v;
    robot::integrate(q.data(), dq.data(), next.data());
    q = next;
  }
  return (foot_positions(q) - anchors).lpNorm<Eigen::Infinity>();
}

}  // namespace

TEST_CASE("a foot beside its anchor comes back to it") {
  CHECK(distance_left(400.0, 40.0) < 1e-7);  // e^(-20 t) (1 + 20 t) of 1 cm is 2e-18 after two seconds
  CHECK(distance_left(0.0, 40.0) == doctest::Approx(0.01).epsilon(1e-3));  // nothing pulls
}

}  // namespace anchored
