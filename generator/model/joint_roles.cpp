#include "model/joint_roles.hpp"
#include "model/build_tree.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace featherline::model {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw UsageError("--actuated: " + why); }

/// The body of a joint that may have a motor.
int driven_body(const description::Description& description, const UserTree& tree, const std::string& name) {
  const auto body = std::ranges::find(tree.bodies, name, [](const Body& b) { return b.joint.name; });
  if (body == tree.bodies.end()) {
    if (const int joint = find_named(description.joints, name); joint >= 0)
      refuse(fmt::format("joint {} is {}, so no motor moves it; leave it out", in_quotes(name),
                         description.joints[index(joint)].locked ? "locked" : "fixed in the robot's file"));
    std::vector<std::string> names;
    for (const Body& b : tree.bodies) {
      if (!b.joint.row().is_free() && b.joint.mimics < 0) names.push_back(b.joint.name);
    }
    refuse(no_such("joint", name, names));
  }
  if (body->joint.row().is_free())
    refuse("joint " + in_quotes(name) + " moves freely, so it has no motor; leave it out");
  if (body->joint.is_eliminated)
    refuse(
        "joint " + in_quotes(name) +
        " follows from loops that are eliminated; name independent joints, whose torques its motor adds to");
  if (body->joint.mimics >= 0) {
    const std::string leader = in_quotes(tree.bodies[index(body->joint.mimics)].joint.name);
    refuse(fmt::format("joint {} mimics {} and has no torque of its own; name {}", in_quotes(name), leader,
                       leader));
  }
  return static_cast<int>(body - tree.bodies.begin());
}

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

std::vector<int> coordinates_without_motor(const description::Description& description, const UserTree& tree,
                                           const std::vector<std::string>& named) {
  std::vector<bool> has_motor(index(tree.nv), named.empty());
  const auto set = [&](int body, bool to) {
    const Joint& joint = tree.bodies[index(body)].joint;
    std::fill_n(has_motor.begin() + joint.idx_v, joint.nv, to);
  };
  std::set<int> seen;
  for (const std::string& name : named) {
    const int body = driven_body(description, tree, name);
    if (!seen.insert(body).second) refuse("joint " + in_quotes(name) + " is named twice; name it once");
    set(body, true);
  }
  for (int i = 0; named.empty() && i < static_cast<int>(tree.bodies.size()); ++i) {
    if (tree.bodies[index(i)].joint.row().is_free()) set(i, false);
  }
  if (named.empty()) {
    for (const int i : bodies_in_loops(tree)) set(i, false);
  }
  std::vector<int> without;
  for (int k = 0; k < tree.nv; ++k) {
    if (!has_motor[index(k)]) without.push_back(k);
  }
  return without;
}

std::vector<int> bodies_in_loops(const Tree& tree) {
  std::set<int> bodies;
  for (const Constraint& constraint : tree.constraints.all) {
    if (!constraint.is_loop()) continue;
    int i = body_of(tree, constraint.anchors[0]), j = body_of(tree, constraint.anchors[1]);
    while (i != j) {
      int& outer = i > j ? i : j;
      bodies.insert(outer);
      outer = tree.bodies[index(outer)].parent;
    }
  }
  return {bodies.begin(), bodies.end()};
}

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
