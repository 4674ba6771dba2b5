#include "model/contact_joints.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::model {
namespace {

bool is_limited(const ContactJoint& joint) {
  return std::isfinite(joint.lower) || std::isfinite(joint.upper);
}
/// Some files write the largest double for "none".
double limit_of(double x) {
  constexpr double endless = 1e30;
  return std::abs(x) < endless ? x : std::copysign(ContactJoint::infinity, x);
}
bool has_friction(const ContactJoint& joint) { return joint.friction > 0.0; }

}  // namespace

std::vector<ContactJoint> choose_contact_joints(const UserTree& tree, const std::vector<std::string>& parts) {
  if (tree.clusters && !parts.empty())
    throw UsageError(
        "--contact-joints: loops of the robot are eliminated, which leaves no limits; leave it out");
  const bool limits = std::ranges::count(parts, joint_limits) > 0,
             friction = std::ranges::count(parts, joint_friction) > 0;
  std::vector<ContactJoint> joints;
  for (const Body& body : tree.bodies) {
    const Joint& joint = body.joint;
    if (joint.nv != 1 || joint.mimics >= 0 || !joint.row().moves_on_axes()) continue;
    ContactJoint chosen{joint.idx_q, joint.idx_v};
    if (limits) chosen.lower = limit_of(joint.limits.lower);
    if (limits) chosen.upper = limit_of(joint.limits.upper);
    if (friction) chosen.friction = joint.friction;
    if (is_limited(chosen) || has_friction(chosen)) joints.push_back(chosen);
  }
  if (limits && std::ranges::none_of(joints, is_limited))
    throw UsageError(
        "--contact-joints limits: no joint with a coordinate of its own has limits; leave it out");
  if (friction && std::ranges::none_of(joints, has_friction))
    throw UsageError(
        "--contact-joints friction: no joint with a coordinate of its own has friction; give them some with "
        "--joint-dynamics, or leave it out");
  return joints;
}

}  // namespace featherline::model
