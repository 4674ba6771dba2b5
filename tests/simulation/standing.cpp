// A quadruped falls on its four feet, comes to rest and stands.
#include "support/dense.hpp"

#include <standing_quadruped.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

namespace standing {

namespace {

namespace robot = standing_quadruped;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr int nq = robot::nq, nv = robot::nv, rows = robot::num_constraint_rows;

const VectorXd all_feet = VectorXd::Ones(robot::num_constraints);

VectorXd foot_positions(const VectorXd& q) {
  VectorXd p(rows), R(9 * robot::num_frames);
  robot::frame_poses(q.data(), p.data(), R.data());
  return p;
}
VectorXd foot_velocities(const VectorXd& q, const VectorXd& v) {
  VectorXd V(rows);
  robot::frame_velocities(q.data(), v.data(), V.data());
  return V;
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

}  // namespace

TEST_CASE("a quadruped falls on its feet and stands") {
  VectorXd q(nq), v = VectorXd::Zero(nv);
  std::copy(std::begin(robot::neutral), std::end(robot::neutral), q.begin());
  for (int leg = 0; leg < 4; ++leg) {  // hips straight, knees bent
    q[7 + 3 * leg + 1] = 0.8;
    q[7 + 3 * leg + 2] = -1.6;
  }
  v[2] = -1.0;
  const VectorXd feet = foot_positions(q);

  VectorXd after(nv), impulse(rows);
  robot::impulse_dynamics(q.data(), v.data(), all_feet.data(), after.data(), impulse.data());
  CHECK(foot_velocities(q, after).lpNorm<Eigen::Infinity>() < 1e-12);
  for (int foot = 0; foot < 4; ++foot) CHECK(impulse[3 * foot + 2] > 0.0);  // the ground pushes
  v = after;

  constexpr double h = 1e-3;
  VectorXd a(nv), lambda(rows), next(nq);
  for (int k = 0; k < 4000; ++k) {
    VectorXd tau = gravity_compensation(q);
    tau.tail<12>() -= 2.0 * v.tail<12>();  // dampers at the joints
    robot::constrained_dynamics(q.data(), v.data(), tau.data(), all_feet.data(), a.data(), lambda.data());
    v += h * a;
    const VectorXd dq = h * v;
    robot::integrate(q.data(), dq.data(), next.data());
    q = next;
  }
  CHECK(v.lpNorm<Eigen::Infinity>() < 1e-6);
  CHECK(a.lpNorm<Eigen::Infinity>() < 1e-6);
  CHECK((foot_positions(q) - feet).lpNorm<Eigen::Infinity>() < 2e-3);
  const double weight = 9.81 * robot::total_mass;
  double carried = 0.0;
  for (int foot = 0; foot < 4; ++foot) carried += lambda[3 * foot + 2];
  CHECK(carried == doctest::Approx(weight).epsilon(1e-6));
}

}  // namespace standing
