#include "algorithms/derivatives/common_frames.hpp"

namespace featherline::algorithms {

OwnFrames ground_frame(const model::CanonicalTree& tree) {
  return each(tree.bodies,
              [](const model::Body& body) { return body.parent < 0 && body.joint.row().num_slides() > 0; });
}

OwnFrames body_frames(const model::CanonicalTree& tree) { return OwnFrames(tree.bodies.size(), true); }

OwnFrames chosen_frames(const model::CanonicalTree& tree) {
  return tree.own_frames.empty() ? body_frames(tree) : tree.own_frames;
}

OwnFrames root_body_frames(const model::CanonicalTree& tree) {
  return each(tree.bodies, [](const model::Body& body) { return body.parent < 0; });
}

Pose Pose::then(const JointMotion& joint) const {
  Pose next;
  next.p_ = joint_ ? p_ + outward(joint.p) : joint.p;
  next.joint_ = joint.R;
  if (joint_) next.R_ = R_ ? *R_ * joint_->matrix() : joint_->matrix();
  return next;
}

Vector3 Pose::outward(const Vector3& v) const {
  if (!joint_) return v;
  const Vector3 u = joint_->to_parent(v);
  return R_ ? *R_ * u : u;
}

Vector3 Pose::inward(const Vector3& v) const {
  if (!joint_) return v;
  return joint_->to_child(R_ ? R_->transposed() * v : v);
}

Motion Pose::outward(const Motion& m) const {
  const Vector3 w = outward(m.w);
  return {w, outward(m.u) + cross(p_, w)};
}

Motion Pose::inward(const Motion& m) const { return {inward(m.w), inward(m.u + cross(m.w, p_))}; }

Force Pose::outward(const Force& f) const {
  const Vector3 force = outward(f.f);
  return {outward(f.n) + cross(p_, force), force};
}

Symmetric3 Pose::outward(const Symmetric3& A) const {
  const Symmetric3 B = joint_->to_parent(A);
  return R_ ? congruence(*R_, B) : B;
}

Inertia Pose::outward(const Inertia& I) const {
  if (!joint_) return I;
  const Vector3 h = outward(I.h);
  const Vector3 g = h + p_ * (I.m * Scalar(0.5));
  return {I.m, h + p_ * I.m, outward(I.J) + parallel_axis(g, p_)};
}

Coriolis Pose::outward(const Coriolis& B) const {
  if (!joint_) return B;
  const Vector3 f = outward(B.f);
  return {outward(B.K) + parallel_axis(f, p_), outward(B.n) + cross(p_, f), f};
}

CommonFrames::CommonFrames(Context& context, OwnFrames own_frames)
    : c_(context), own_frames_(std::move(own_frames)) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    context.begin_section(i, "placement");
    const int parent = context.parent(i);
    const Pose pose = (parent < 0 ? Pose() : poses_[index(parent)]).then(joint_motion(context, i));
    context.label(pose.origin(), context.of_body("p", i));
    if (pose.parent_rotation()) context.label(*pose.parent_rotation(), context.of_body("R", parent));
    poses_.push_back(has_own_frame(i) ? Pose() : pose);
    poses_in_parents_frame_.push_back(pose);
  }
}

}  // namespace featherline::algorithms
