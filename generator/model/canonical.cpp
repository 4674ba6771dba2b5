#include "model/canonical.hpp"

#include "model/regroup.hpp"

#include <cmath>

namespace featherline::model {
namespace {

/// One of the two single-axis bodies that stand for a joint with two degrees of freedom.
Body single_axis(const Body& body, JointType type, const Vector3& axis, int k) {
  Body part = body;
  part.joint.type = type;
  part.joint.axis = axis;
  part.joint.idx_q = body.joint.idx_q + k;
  part.joint.idx_v = body.joint.idx_v + k;
  part.joint.nq = part.joint.nv = 1;
  return part;
}

bool has_two_axes(const Body& body) {
  return body.joint.type == JointType::cylindrical || body.joint.type == JointType::universal;
}

/// Cylindrical: rotation, then translation along the same axis. Universal: rotation about axis, then axis2.
void append_split(std::vector<Body>& bodies, const Body& body) {
  const bool universal = body.joint.type == JointType::universal;
  Body first = single_axis(body, JointType::revolute, body.joint.axis, 0);
  Body second = universal ? single_axis(body, JointType::revolute, body.joint.axis2, 1)
                          : single_axis(body, JointType::prismatic, body.joint.axis, 1);
  first.inertia = Inertia{};
  second.joint.placement = Placement{};
  second.parent = static_cast<int>(bodies.size());
  bodies.push_back(std::move(first));
  bodies.push_back(std::move(second));
}

}  // namespace

Tree split_two_axis_joints(const Tree& tree) {
  Tree result = tree;
  result.bodies.clear();
  std::vector<int> new_index;
  for (const Body& original : tree.bodies) {
    Body body = original;
    if (body.parent >= 0) body.parent = new_index[static_cast<std::size_t>(body.parent)];
    if (has_two_axes(body)) {
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
