#include "algorithms/kinematics.hpp"

namespace featherline::algorithms {
namespace {

/// The joint alone, at the head of its own coordinate arrays, driven directly.
model::CanonicalTree single_joint(const model::CanonicalTree& tree, int body) {
  model::CanonicalTree step = tree;
  step.bodies = {tree.bodies[static_cast<std::size_t>(body)]};
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

}  // namespace

ir::Function trace_pose_step(const model::CanonicalTree& tree, int body) {
  const model::CanonicalTree step = single_joint(tree, body);
  const model::Joint& joint = step.bodies.front().joint;
  std::vector<ir::Parameter> inputs;
  if (step.bodies.front().parent >= 0) inputs.push_back({"parent", 12});
  inputs.push_back({"q", joint.nq});
  if (angle_of(joint).entry >= 0) inputs.push_back({"sc", 2});
  ir::Function function = trace(step, inputs, step_outwards);
  function.name = "pose_step";
  function.formulation = "step outwards";
  return function;
}

}  // namespace featherline::algorithms
