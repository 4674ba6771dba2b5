// A legged robot estimates the velocity of its trunk from encoders, the orientation and the angular velocity that an
// inertial sensor measures, and the feet that stand. Then it knows how fast the feet in the air are.
#include "support/dense.hpp"

#include <quadruped.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <random>

namespace state_estimate {

namespace {

using Eigen::Map;
using Eigen::Vector3d;
using quadruped::nq, quadruped::nv, quadruped::num_frames;
using FootVelocities = Eigen::Matrix<double, 3, num_frames>;

FootVelocities foot_velocities(const double* q, const double* v) {
  FootVelocities V;
  quadruped::frame_velocities(q, v, V.data());
  return V;
}

/// Linear velocity of the trunk, in its axes: what brings the standing feet to rest on average. v holds zeros where it
/// belongs. R is the trunk's orientation.
Vector3d trunk_velocity(const double* q, const double* v, const bool (&stands)[num_frames],
                        const Eigen::Matrix3d& R) {
  const FootVelocities V = foot_velocities(q, v);
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (int foot = 0; foot < num_frames; ++foot) {
    if (!stands[foot]) continue;
    sum += V.col(foot);
    ++count;
  }
  return -R.transpose() * sum / count;
}

struct Motion {
  Eigen::VectorXd q = Eigen::VectorXd(nq), v = Eigen::VectorXd(nv);
  Eigen::Quaterniond orientation;
};

/// A random pose and speed at which three feet stand still.
Motion standing_on_three(std::mt19937& random) {
  std::uniform_real_distribution<> uniform(-1.0, 1.0);
  Motion motion;
  for (double& x : motion.q) x = 0.5 * uniform(random);
  for (double& x : motion.v) x = uniform(random);
  motion.orientation =
      Eigen::Quaterniond(1.0, 0.1 * uniform(random), 0.1 * uniform(random), uniform(random)).normalized();
  motion.q.segment<4>(3) = motion.orientation.coeffs();
  double p[3 * num_frames], J[3 * num_frames * nv];
  quadruped::frame_kinematics(motion.q.data(), p, J);  // FRAME_PARTS positions jacobians
  const Eigen::MatrixXd standing = Map<Eigen::MatrixXd>(J, 3 * num_frames, nv).topRows<9>();
  motion.v -= featherline::test::least_squares(standing, standing * motion.v);
  return motion;
}

}  // namespace

TEST_CASE("the trunk's velocity comes out of the feet that stand") {
  std::mt19937 random(3);
  const bool stands[num_frames] = {true, true, true, false};
  for (int k = 0; k < 10; ++k) {
    const Motion motion = standing_on_three(random);
    Eigen::VectorXd v = motion.v;
    v.head<3>().setZero();  // what nobody measures
    v.head<3>() = trunk_velocity(motion.q.data(), v.data(), stands, motion.orientation.toRotationMatrix());
    CHECK((v - motion.v).norm() < 1e-12);
    const FootVelocities V = foot_velocities(motion.q.data(), v.data());
    CHECK(V.leftCols<3>().norm() < 1e-12);
    CHECK(V.col(3).norm() > 1e-3);  // the foot in the air
  }
}

}  // namespace state_estimate
