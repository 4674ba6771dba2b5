#include "model/constraints.hpp"

#include "description/checks.hpp"
#include "description/description.hpp"
#include "model/build_tree.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace featherline::model {

void Constraints::number_rows() {
  int row = 0, residual = 0;
  for (Constraint& constraint : all) {
    constraint.first_row = row;
    constraint.first_residual = residual;
    row += constraint.num_rows();
    residual += constraint.num_residual_rows();
  }
}

namespace {

/// A rotation that takes z to the axis, by the shortest turn; exact for coordinate axes. Quaterniond::FromTwoVectors()
/// computes the same, but compiling the singular value decomposition in it takes longer than all the rest of the model.
Matrix3 z_to(const Vector3& axis) {
  const Vector3 z = axis.normalized();
  const bool is_nearly_opposite = z.z() < -1.0 + 1e-12;
  if ((axis.array() != 0.0).count() == 1 || is_nearly_opposite) return plane_axes(axis);
  const double s = std::sqrt(2.0 * (1.0 + z.z())), inverse = 1.0 / s;
  return Eigen::Quaterniond(0.5 * s, -z.y() * inverse, z.x() * inverse, 0.0).toRotationMatrix();
}

Anchor anchor_of(const description::ConstraintEnd& end, const Matrix3& R_to_axis, const UserTree& tree,
                 double tolerance) {
  Anchor anchor;
  anchor.link = find_named(tree.links, end.link);
  anchor.placement.p = end.origin.xyz;
  anchor.placement.R = snap_rotation(description::rotation(end.origin) * R_to_axis, tolerance);
  return anchor;
}

}  // namespace

std::vector<Constraint> build_constraints(const description::Description& description, const UserTree& tree,
                                          double snap_tolerance, Diagnostics& diagnostics) {
  std::vector<Constraint> constraints;
  for (const description::Constraint& read : description.constraints) {
    Constraint constraint;
    constraint.name = read.name;
    constraint.type = read.type.value();
    constraint.radius = read.radius;
    constraint.line = read.line;
    constraint.offset = read.offset;
    for (const auto& term : read.terms) {
      const int body = coupled_body(description, read, term.joint, tree, diagnostics);
      if (body >= 0) constraint.terms.push_back({body, term.coefficient});
    }
    const Matrix3 R = kind_of(constraint.type).has_axis ? z_to(read.axis) : Matrix3::Identity();
    for (const description::ConstraintEnd& end : read.ends)
      constraint.anchors.push_back(anchor_of(end, R, tree, snap_tolerance));
    const auto body = [&](std::size_t end) { return body_of(tree, constraint.anchors[end]); };
    const std::string subject = "constraint " + in_quotes(read.name);
    if (constraint.is_loop() && body(0) == body(1))
      diagnostics.error(description::at(description, read, read.line),
                        "the two links of " + subject + " never move relative to each other",
                        "name links with a moving joint between them, or remove the constraint");
    if (constraint.anchors.size() == 1 && body(0) < 0)
      diagnostics.error(description::at(description, read, read.line),
                        "the link of " + subject + " does not move",
                        "name a link behind a moving joint, or use --base floating");
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

int coupled_body(const description::Description& description, const description::Constraint& loop,
                 const std::string& joint, const UserTree& tree, Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    diagnostics.error(description::at(description, loop, loop.line),
                      "loop " + in_quotes(loop.name) + " " + what, remedy);
    return -1;
  };
  std::vector<std::string> names = each(tree.bodies, [&](const Body& body) { return body.joint.name; });
  const auto found = std::ranges::find(names, joint);
  if (found == names.end()) {
    if (const int known = find_named(description.joints, joint); known >= 0) {
      const bool is_locked = description.joints[index(known)].locked.has_value();
      return refuse(
          "goes through joint " + in_quotes(joint) + ", which is " + (is_locked ? "locked" : "fixed"),
          is_locked ? "lock another joint, or remove the loop" : "name a joint that moves");
    }
    const std::string nearest = nearest_name(joint, names);
    return refuse("names joint " + in_quotes(joint) + ", which does not exist",
                  "correct the name" + (nearest.empty() ? "" : "; there is " + in_quotes(nearest)));
  }
  const auto body = static_cast<int>(found - names.begin());
  const Joint& own = tree.bodies[index(body)].joint;
  if (own.mimics < 0 && own.row().has_one_axis()) return body;
  return refuse("has joint " + in_quotes(joint) +
                    (own.mimics >= 0 ? ", which mimics another one" : ", which has several coordinates"),
                loop.terms.empty() ? "let the loop be a constraint, or write the coupling of the joint as "
                                     "<featherline_constraint type=\"coupling\">"
                                   : "name a joint with one coordinate of its own");
}

FreeBodyRows free_body_rows(const Tree& tree) {
  double mass = 0.0, length = robot_size(tree);
  for (const Link& link : tree.links) mass += link.body < 0 ? 0.0 : link.mass;
  if (!(mass > 0.0)) return {};  // rotors alone
  if (!(length > 0.0)) length = 1.0;
  return {1.0 / mass, 1.0 / (mass * length * length)};
}

Placement frame_in_body(const Tree& tree, const FrameInLink& frame) {
  return tree.links[index(frame.link)].placement * frame.placement;
}

int body_of(const Tree& tree, const FrameInLink& frame) { return tree.links[index(frame.link)].body; }

}  // namespace featherline::model
