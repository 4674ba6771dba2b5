#include "model/canonical.hpp"

#include "model/limbs.hpp"
#include "model/regroup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace featherline::model {
namespace {

/// One body for each motion; the last one carries the inertia.
void append_split(std::vector<Body>& bodies, const Body& body) {
  const JointRow& row = body.joint.row();
  for (int k = 0; k < row.nv(); ++k) {
    const Motion& motion = row.motions[static_cast<std::size_t>(k)];
    Body part = body;
    part.joint.type = type_with_one_axis(motion.kind);
    part.joint.axis = body.joint.direction(motion.along);
    part.joint.idx_q += k;
    part.joint.idx_v += k;
    part.joint.nq = part.joint.nv = 1;
    if (k + 1 < row.nv()) {
      part.inertia = Inertia{};
      part.user_frame.reset();
    }
    if (k > 0) {
      part.joint.placement = Placement{};
      part.parent = static_cast<int>(bodies.size()) - 1;
    }
    bodies.push_back(std::move(part));
  }
}

}  // namespace

Tree split_joints(const Tree& tree) {
  Tree result = tree;
  result.bodies.clear();
  std::vector<int> new_index;
  for (const Body& original : tree.bodies) {
    Body body = original;
    if (body.parent >= 0) body.parent = new_index[static_cast<std::size_t>(body.parent)];
    if (body.joint.row().is_split()) {
      append_split(result.bodies, body);
    } else {
      result.bodies.push_back(std::move(body));
    }
    new_index.push_back(static_cast<int>(result.bodies.size()) - 1);
  }
  for (Body& body : result.bodies) {  // a driver may come later
    int& driver = body.joint.mimics;
    if (driver >= 0) driver = new_index[static_cast<std::size_t>(driver)];
  }
  for (Link& link : result.links) {
    if (link.body >= 0) link.body = new_index[static_cast<std::size_t>(link.body)];
  }
  return result;
}

namespace {

/// What is printed in the end is short where the file's numbers are.
Inertia round_inertia(const Inertia& I) {
  return {round_number(I.mass, I.mass), round_entries(I.h, I.h.norm()), round_entries(I.J, I.J.norm())};
}

Placement round_placement(const Placement& X, double scale) {
  return {round_entries(X.R, 1.0), round_entries(X.p, scale)};
}

/// The tree with every body frame replaced by frames[i].
CanonicalTree express_in_frames(const Tree& tree, const std::vector<Placement>& frames) {
  CanonicalTree result{tree, {}};
  const double size = robot_size(tree);
  for (std::size_t i = 0; i < result.bodies.size(); ++i) {
    Body& body = result.bodies[i];
    const Placement& G = frames[i];
    Placement X = body.joint.placement * G;
    if (body.parent >= 0) X = frames[static_cast<std::size_t>(body.parent)].inverse() * X;
    const JointFrame canonical = split_offset(body.joint, X);
    const double scale = offset_scale(tree, frames, i, size);
    body.joint.placement = round_placement(canonical.X, scale);
    body.joint.offset = round_number(body.joint.offset + canonical.offset, 4.0);
    if (body.joint.row().has_one_axis()) body.joint.axis = Vector3::UnitZ();
    body.inertia = round_inertia(body.inertia.expressed_in(G.inverse()));
    if (body.user_frame) body.user_frame = round_placement(G.inverse() * *body.user_frame, size);
  }
  for (Link& link : result.links) {
    if (link.body < 0) continue;
    link.placement = frames[static_cast<std::size_t>(link.body)].inverse() * link.placement;
    link.placement = round_placement(link.placement, std::max(size, link.placement.p.norm()));
  }
  return result;
}

}  // namespace

CanonicalTree canonicalise(const UserTree& tree, Frames frames) {
  const Tree split = regroup_where_written(split_joints(tree));
  if (frames == Frames::plain) return express_in_frames(split, plain_frames(split));
  const Folding folding = frames == Frames::of_limbs ? fold_bodies(split) : unfolded(split);
  return express_in_frames(split, choose_frames(split, folding));
}

}  // namespace featherline::model
