#include "algorithms/kinematics.hpp"

#include "algorithms/joints.hpp"

#include <featherline/kinematics.hpp>

#include <algorithm>
#include <memory>

namespace featherline::algorithms {
namespace {

/// The body's joint alone, at the head of its own coordinate arrays, driven directly. A step needs no more of the tree.
model::CanonicalTree single_joint(const model::Body& body) {
  model::CanonicalTree step;
  step.bodies = {body};
  model::Joint& joint = step.bodies.front().joint;
  joint.idx_q = joint.idx_v = 0;
  joint.multiplier = 1.0;
  step.nq = joint.nq;
  step.nv = joint.nv;
  return step;
}

void append(Coordinates<Scalar>& list, const Vector3<Scalar>& x) { list.insert(list.end(), {x.x, x.y, x.z}); }

struct WorldPose {
  Matrix3<Scalar> R;
  Vector3<Scalar> p;
};

WorldPose pose_from(const Coordinates<Scalar>& x) {
  return {{{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}}, {x[9], x[10], x[11]}};
}

void step_outwards(Context<Scalar>& c) {
  const bool has_angle = angle_of(c.joint(0)).entry >= 0;
  const Scalar sine = has_angle ? c.input("sc")[0] : 0.0, cosine = has_angle ? c.input("sc")[1] : 1.0;
  const JointMotion<Scalar> X = joint_motion<Scalar>(c, 0, c.input("q"), cosine, sine);
  WorldPose pose{X.R.matrix(), X.p};
  if (c.parent(0) >= 0) {
    const WorldPose above = pose_from(c.input("parent"));
    for (int r = 0; r < 3; ++r) pose.R.rows[r] = X.R.to_child(above.R.rows[r]);  // (R_WP R_PB) by rows
    pose.p = above.p + above.R * X.p;
  }
  Coordinates<Scalar> entries, axes;
  for (int k = 0; k < 3; ++k) append(entries, pose.R.column(k));
  append(entries, pose.p);
  for (const JointAxis<Scalar>& axis : c.axes(0)) {
    append(axes, pose.R * axis.S.u);
    append(axes, pose.R * axis.S.w);
  }
  c.output("pose", entries);
  c.output("axes", axes);
}

std::vector<ir::Kernel> pose_steps(const model::CanonicalTree& tree) {
  std::vector<ir::Kernel> steps;
  for (const model::Body& body : tree.bodies) {
    const model::CanonicalTree alone = single_joint(body);
    const model::Joint& joint = alone.bodies.front().joint;
    std::vector<ir::Buffer> inputs;
    if (alone.bodies.front().parent >= 0) inputs.push_back({"parent", kinematics::pose_size});
    inputs.push_back({"q", joint.nq});
    if (angle_of(joint).entry >= 0) inputs.push_back({"sc", 2});
    steps.push_back(trace(alone, std::move(inputs), {{"pose", kinematics::pose_size}, {"axes", 6 * joint.nv}},
                          step_outwards));
    steps.back().name = "pose_step";
    steps.back().formulation = "step outwards";
  }
  return steps;
}

kinematics::BodyInfo<double> body_info(const model::Body& body) {
  const JointAngle angle = angle_of(body.joint);
  return {body.parent,   body.joint.idx_q,      body.joint.nq, body.joint.idx_v,
          body.joint.nv, body.joint.multiplier, angle.entry,   angle.offset};
}

kinematics::LinkInfo<double> link_info(const model::Link& link) {
  const model::Placement& X = link.placement;
  const bool at_body = link.body >= 0 && X.R == model::Matrix3::Identity() && X.p == model::Vector3::Zero();
  kinematics::LinkInfo<double> info{link.body, at_body, {}, {}};
  std::copy_n(X.R.data(), 9, info.R_BL);  // both column-major
  std::copy_n(X.p.data(), 3, info.p_BL);
  return info;
}

std::shared_ptr<const ir::LinkWalk> link_walk(const model::CanonicalTree& tree) {
  auto walk = std::make_shared<ir::LinkWalk>();
  walk->nv = tree.nv;
  walk->steps = pose_steps(tree);
  std::vector<int> length, columns;  // of the path to each body
  for (const model::Body& body : tree.bodies) {
    const auto parent = static_cast<std::size_t>(body.parent);
    length.push_back(1 + (body.parent < 0 ? 0 : length[parent]));
    columns.push_back(body.joint.nv + (body.parent < 0 ? 0 : columns[parent]));
    walk->max_path = std::max(walk->max_path, length.back());
    walk->max_columns = std::max(walk->max_columns, columns.back());
    walk->bodies.push_back(body_info(body));
  }
  for (const model::Link& link : tree.links) walk->links.push_back(link_info(link));
  return walk;
}

void call_walk(Context<Scalar>& c, const std::string& routine, std::vector<std::string> arguments) {
  ir::Call call;
  call.routine = "kinematics::" + routine;
  call.arguments = std::move(arguments);
  call.walk = link_walk(c.tree());
  c.call(std::move(call));
}

}  // namespace

void forward_kinematics(Context<Scalar>& c) { call_walk(c, "forward_kinematics", {"q", "link", "R", "p"}); }

void frame_jacobian(Context<Scalar>& c) { call_walk(c, "frame_jacobian", {"q", "link", "J", "frame"}); }

}  // namespace featherline::algorithms
