#include "support/parallel_arm.hpp"

#include "support/random.hpp"

#include <cmath>
#include <numbers>

namespace featherline::test {
namespace {

description::Link make_link(int k, Random& random) {
  description::Link link;
  link.name = "link" + std::to_string(k);
  description::Inertial& inertial = link.inertial.emplace();
  inertial.mass = random.uniform(1.0, 3.0);
  inertial.origin.xyz = random.vector(3, 0.15);
  const Eigen::Vector3d moments = inertial.mass * (random.vector(3, 0.01).cwiseAbs().array() + 0.02);
  inertial.inertia = (moments.sum() * Eigen::Vector3d::Ones() - moments).asDiagonal();
  return link;
}

/// Draws the same numbers whatever the tilt is.
description::Joint make_joint(int k, const ParallelArm& options, Random& random) {
  description::Joint joint;
  joint.name = "joint" + std::to_string(k);
  joint.type = random.chance(options.prismatic) ? model::JointType::prismatic : model::JointType::revolute;
  joint.parent = "link" + std::to_string(k - 1);
  joint.child = "link" + std::to_string(k);
  joint.limits = {-4.0, 4.0, 100.0, 1000.0, 0};
  const bool along_y = options.half_turn != 0.0;
  joint.axis = along_y ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
  joint.origin.xyz = random.vector(3, 0.5);
  const bool flat = random.chance(0.5);
  if (flat) (along_y ? joint.origin.xyz.y() : joint.origin.xyz.z()) = 0.0;
  const double direction = random.uniform(-std::numbers::pi, std::numbers::pi);
  const double turn = (random.below(4) - 1) * 0.5 * std::numbers::pi;
  const bool turned = random.chance(0.7);
  if (k == 1) return joint;
  if (along_y) {
    joint.origin.rpy = {turned ? options.half_turn : 0.0, 0.0, 0.0};
  } else {
    joint.origin.rpy = {options.tilt * std::cos(direction), options.tilt * std::sin(direction), turn};
  }
  return joint;
}

}  // namespace

description::Description parallel_arm(const ParallelArm& options) {
  Random random(options.seed);
  description::Description robot;
  robot.name = "parallel_arm";
  for (int k = 0; k <= options.joints; ++k) robot.links.push_back(make_link(k, random));
  for (int k = 1; k <= options.joints; ++k) robot.joints.push_back(make_joint(k, options, random));
  return robot;
}

}  // namespace featherline::test
