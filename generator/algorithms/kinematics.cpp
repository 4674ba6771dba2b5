#include "algorithms/kinematics.hpp"

#include "algorithms/joint_motion.hpp"
#include "algorithms/tracer.hpp"

namespace featherline::algorithms {
namespace {

struct StepInputs {
  int parent = -1, q = -1, sc = -1;  ///< input parameters, -1 where absent
};

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

}  // namespace

StepAngle pose_step_angle(const model::CanonicalTree& tree, int body) {
  const model::Joint& joint = tree.bodies[static_cast<std::size_t>(body)].joint;
  const int entry = joint.row().angle();
  return entry < 0 ? StepAngle{} : StepAngle{entry, joint.offset};
}

ir::Function trace_pose_step(const model::CanonicalTree& tree, int body) {
  const model::CanonicalTree step = single_joint(tree, body);
  const bool at_root = step.bodies.front().parent < 0;
  StepInputs in;
  std::vector<ir::Parameter> inputs;
  const auto add = [&](const char* name, int size) {
    inputs.push_back({name, size});
    return static_cast<int>(inputs.size()) - 1;
  };
  if (!at_root) in.parent = add("parent", 12);
  in.q = add("q", step.nq);
  if (pose_step_angle(tree, body).entry >= 0) in.sc = add("sc", 2);

  Tracer t(step, "pose_step", "step outwards", inputs, {{"pose", 12}, {"axes", 6 * step.nv}});
  const JointMotion X = joint_motion(t, 0, in.q, in.sc);
  Matrix3 R = X.R.matrix();
  Vector3 p = X.p;
  if (!at_root) {
    Matrix3 R_WP;
    Vector3 p_WP;
    for (int k = 0; k < 9; ++k) R_WP(k % 3, k / 3) = t.input(in.parent, k);
    for (int k = 0; k < 3; ++k) p_WP[k] = t.input(in.parent, 9 + k);
    for (int r = 0; r < 3; ++r)
      R.row(r) = X.R.to_child(R_WP.row(r).transpose()).transpose();  // (R_WP R_PB) by rows
    p = p_WP + R_WP * X.p;
  }
  for (int k = 0; k < 9; ++k) t.store(0, k, R(k % 3, k / 3));
  for (int k = 0; k < 3; ++k) t.store(0, 9 + k, p[k]);
  int column = 0;
  for (const JointAxis& axis : joint_axes(step.bodies.front().joint)) {
    const Vector3 linear = R * to_scalar(axis.linear), angular = R * to_scalar(axis.angular);
    for (int k = 0; k < 3; ++k) t.store(1, 6 * column + k, linear[k]);
    for (int k = 0; k < 3; ++k) t.store(1, 6 * column + 3 + k, angular[k]);
    ++column;
  }
  return t.take();
}

}  // namespace featherline::algorithms
