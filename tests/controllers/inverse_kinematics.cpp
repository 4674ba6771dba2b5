// The tool of an arm goes to a pose by damped least squares. The arm has one joint more than it needs, so it keeps near
// a posture at the same time.
#include <arm7_eigen.hpp>

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <random>

namespace inverse_kinematics {

namespace {

using Vector = Eigen::Matrix<double, arm7::nv, 1>;

struct Pose {
  Eigen::Vector3d p;
  Eigen::Matrix3d R;
};

Pose tool_pose(const Vector& q) {
  Pose pose;
  arm7::eigen::frame_poses(q, pose.p, pose.R.reshaped());
  return pose;
}

/// The way left, in the axes of the world: [linear; angular].
Eigen::Matrix<double, 6, 1> error_of(const Pose& pose, const Pose& goal) {
  const Eigen::AngleAxisd turn(goal.R * pose.R.transpose());
  Eigen::Matrix<double, 6, 1> error;
  error << goal.p - pose.p, turn.angle() * turn.axis();
  return error;
}

/// Steps until the tool is within 1e-9 m and rad of the goal; -1 if it does not get there.
int reach(const Pose& goal, const Vector& posture, Vector& q) {
  constexpr double pull = 0.1;
  for (int steps = 0; steps < 200; ++steps) {
    const Eigen::Matrix<double, 6, 1> error = error_of(tool_pose(q), goal);
    if (error.norm() < 1e-9) return steps;
    Eigen::Matrix<double, arm7::num_frame_rows, arm7::nv> J;
    arm7::eigen::frame_jacobians(q, J);
    // Damping lets a part of the pull through. It vanishes with the error, faster than the error itself.
    const double damping = std::min(1e-2, error.squaredNorm());
    const Eigen::Matrix<double, arm7::nv, 6> inverse =
        J.transpose() * (J * J.transpose() + damping * Eigen::Matrix<double, 6, 6>::Identity()).inverse();
    Vector to_posture, next;
    arm7::eigen::difference(q, posture, to_posture);
    const Vector step = inverse * error + pull * (to_posture - inverse * (J * to_posture));
    arm7::eigen::integrate(q, step * std::min(1.0, 0.5 / step.norm()), next);
    q = next;
  }
  return -1;
}

}  // namespace

TEST_CASE("inverse kinematics converge") {
  std::mt19937 random(1);
  std::uniform_real_distribution<> angle(-1.2, 1.2);
  const Vector posture = Vector::Constant(0.4);
  for (int k = 0; k < 20; ++k) {
    CAPTURE(k);
    const Vector goal = Vector::NullaryExpr([&] { return angle(random); });
    Vector q = posture;
    const int steps = reach(tool_pose(goal), posture, q);
    CHECK(steps >= 0);
    CHECK(error_of(tool_pose(q), tool_pose(goal)).norm() < 1e-9);
  }
}

}  // namespace inverse_kinematics
