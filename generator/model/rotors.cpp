#include "model/build_tree.hpp"

#include "description/checks.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace featherline::model {
namespace {

/// R from a link of the file to the root, where all joints are at zero.
Matrix3 turn_at_zero(const description::Description& robot, const std::string& link) {
  Matrix3 R = Matrix3::Identity();
  const auto above = [&](const std::string& child) {
    return std::ranges::find(robot.joints, child, &description::Joint::child);
  };
  for (auto joint = above(link); joint != robot.joints.end(); joint = above(joint->parent))
    R = description::rotation(joint->origin) * R;
  return R;
}

/// The axis of a joint in the frame of a link, where all joints are at zero.
Vector3 axis_at_zero(const description::Description& robot, const description::Joint& joint,
                     const std::string& link) {
  if (link == joint.child) return joint.axis;
  const Vector3 in_parent = description::rotation(joint.origin) * joint.axis;
  if (link == joint.parent) return in_parent;
  return turn_at_zero(robot, link).transpose() * (turn_at_zero(robot, joint.parent) * in_parent);
}

/// The axis of a body's joint in the body, or in its parent.
Vector3 axis_seen_from(const Tree& tree, int joint, int body) {
  const Body& moved = tree.bodies[index(joint)];
  return body == joint ? moved.joint.axis : Vector3(moved.joint.placement.R * moved.joint.axis);
}

bool is_adjacent(const Tree& tree, const Rotor& rotor) {
  return rotor.carrier == rotor.joint || rotor.carrier == tree.bodies[index(rotor.joint)].parent;
}

/// Takes an axis that is that of the joint but for rounding as that of the joint.
void snap_axis(const Tree& tree, Rotor& rotor) {
  if (rotor.joint < 0 || !is_adjacent(tree, rotor)) return;
  const Vector3 exact = axis_seen_from(tree, rotor.joint, rotor.carrier);
  for (const double sign : {1.0, -1.0}) {
    if ((rotor.axis - sign * exact).norm() < BuildOptions::default_snap_tolerance) rotor.axis = sign * exact;
  }
}

Matrix3 about(const Vector3& axis, double inertia) { return inertia * axis * axis.transpose(); }

/// Its turns with the joint's own axis, negative where the axes are opposite; 0 where they differ, or where neither of
/// the joint's bodies carries it.
double turns_with_axis(const Tree& tree, const Rotor& rotor) {
  if (!is_adjacent(tree, rotor) || tree.bodies[index(rotor.joint)].joint.row().num_turns() == 0) return 0.0;
  const Vector3 axis = axis_seen_from(tree, rotor.joint, rotor.carrier);
  return rotor.axis == axis ? rotor.gear_ratio : rotor.axis == -axis ? -rotor.gear_ratio : 0.0;
}

void add_as_body(Tree& tree, const Rotor& rotor) {
  const Joint& geared = tree.bodies[index(rotor.joint)].joint;
  Body body{"rotor of " + geared.name, rotor.carrier, {}, {}};
  body.user_frame.reset();
  body.joint.name = geared.name + " rotor";
  body.joint.axis = rotor.axis;
  body.joint.idx_q = geared.idx_q;
  body.joint.idx_v = geared.idx_v;
  body.joint.all = geared.all;
  body.joint.multiplier = rotor.gear_ratio * geared.multiplier;
  body.joint.mimics = geared.mimics >= 0 ? geared.mimics : rotor.joint;
  body.joint.turns_rotor = true;
  body.inertia.J = about(rotor.axis, rotor.inertia);
  if (rotor.carrier >= 0) tree.bodies[index(rotor.carrier)].inertia.J -= body.inertia.J;
  tree.bodies.push_back(std::move(body));
}

/// Of the mass that the carrier's link leaves out, in its body.
Inertia left_out(const description::Rotor& read, const Link& carrier, const Vector3& axis) {
  const Matrix3 J =
      read.transverse_inertia * Matrix3::Identity() + about(axis, read.inertia - read.transverse_inertia);
  const Vector3 place = carrier.placement.R * read.com + carrier.placement.p;
  return Inertia{read.mass, Vector3::Zero(), J}.expressed_in({Matrix3::Identity(), place});
}

}  // namespace

void add_rotors(const description::Description& robot, UserTree& tree, Diagnostics& findings) {
  const auto name_of_joint = [](const Body& body) { return body.joint.name; };
  for (const description::Rotor& read : robot.rotors) {
    const description::Joint& source = *std::ranges::find(robot.joints, read.name, &description::Joint::name);
    const std::string& name = read.carrier.empty() ? source.parent : read.carrier;
    Link& carrier = *std::ranges::find(tree.links, name, &Link::name);
    if (carrier.body < 0 && !read.carrier.empty() && tree.locked.empty())
      findings.error(
          description::at(robot, read, read.line),
          fmt::format("the rotor of joint {} is carried by link {}, which does not move",
                      in_quotes(read.name), in_quotes(name)),
          "name a link that moves, or leave the carrier out if the joint's parent link holds the rotor");
    const auto moved = std::ranges::find(tree.bodies, read.name, name_of_joint);
    Rotor rotor{.carrier = carrier.body,
                .gear_ratio = read.gear_ratio,
                .inertia = read.inertia,
                .line = read.line,
                .file = description::file_of(robot, read)};
    if (moved != tree.bodies.end()) rotor.joint = static_cast<int>(moved - tree.bodies.begin());
    rotor.axis = carrier.placement.R * (read.axis ? *read.axis : axis_at_zero(robot, source, name));
    snap_axis(tree, rotor);
    if (read.mass > 0.0) {
      if (carrier.body >= 0) tree.bodies[index(carrier.body)].inertia += left_out(read, carrier, rotor.axis);
      carrier.com = (carrier.mass * carrier.com + read.mass * read.com) / (carrier.mass + read.mass);
      carrier.mass += read.mass;
    }
    if (rotor.joint >= 0) tree.rotors.push_back(std::move(rotor));
  }
}

Tree without_rotors(Tree tree) {
  for (const Rotor& rotor : std::exchange(tree.rotors, {})) {
    const double N = turns_with_axis(tree, rotor), I = rotor.inertia;
    Body& moved = tree.bodies[index(rotor.joint)];
    if (N != 0.0) {
      moved.joint.geared += I * N * (rotor.carrier == rotor.joint ? N + 1.0 : N - 1.0);
      moved.inertia.J += about(moved.joint.axis, I * N);
      if (moved.parent >= 0)
        tree.bodies[index(moved.parent)].inertia.J -=
            about(axis_seen_from(tree, rotor.joint, moved.parent), I * N);
    } else {
      add_as_body(tree, rotor);
    }
  }
  return tree;
}

}  // namespace featherline::model
