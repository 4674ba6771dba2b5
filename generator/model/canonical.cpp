#include "model/canonical.hpp"

#include "model/regroup.hpp"

#include <cmath>

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
    if (k + 1 < row.nv()) part.inertia = Inertia{};
    if (k > 0) {
      part.joint.placement = Placement{};
      part.parent = static_cast<int>(bodies.size()) - 1;
    }
    bodies.push_back(std::move(part));
  }
}

}  // namespace

Tree split_two_axis_joints(const Tree& tree) {
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
  for (Link& link : result.links) {
    if (link.body >= 0) link.body = new_index[static_cast<std::size_t>(link.body)];
  }
  return result;
}

CanonicalTree canonicalise(const UserTree& tree, Frames frames) {
  const Tree split = regroup_where_written(split_two_axis_joints(tree));
  return express_in_frames(split, frames == Frames::chosen ? choose_frames(split) : plain_frames(split));
}

}  // namespace featherline::model
