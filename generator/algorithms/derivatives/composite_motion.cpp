#include "algorithms/derivatives/composite_motion.hpp"

#include "algorithms/dynamics/body_motion.hpp"

namespace featherline::algorithms {

CompositeMotion::CompositeMotion(Context& context, const Coordinates& v, const Coordinates& a,
                                 OwnFrames own_frames)
    : c_(context), frames_(context, std::move(own_frames)) {
  for (int i = 0; i < c_.num_bodies(); ++i) outward(i, v, a);
}

typename CompositeMotion::ParentMotion CompositeMotion::parent_motion(int i) {
  const auto moved = [&](const Motion& m) { return frames_.from_parents_frame(i, m); };
  const int parent = c_.parent(i);
  if (parent < 0) return {moved({}), moved({{}, -c_.felt_gravity()})};
  const std::string name = c_.of_body("", parent) + c_.of_body("_", i);
  return {c_.hint(moved(body(parent).v), "v" + name), c_.hint(moved(body(parent).a), "a" + name)};
}

void CompositeMotion::add_axes(int i, const ParentMotion& parent, CompositeBody& body) {
  const std::vector<JointAxis> axes = c_.axes(i);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Axis axis;
    axis.idx_v = axes[k].idx_v;
    axis.multiplier = axes[k].multiplier;
    axis.name = c_.of_axis("", i, k, axes.size());
    axis.S = c_.label(frames_.pose(i).outward(axes[k].S), "S" + axis.name);
    axis.Pd = c_.label(cross(parent.v, axis.S), "Pd" + axis.name);
    axis.Pdd = c_.label(cross(parent.a, axis.S) + cross(parent.v, axis.Pd), "Pdd" + axis.name);
    body.axes.push_back(axis);
  }
}

void CompositeMotion::outward(int i, const Coordinates& v, const Coordinates& a) {
  c_.begin_section(i, "motion");
  const ParentMotion parent = parent_motion(i);
  CompositeBody body;
  add_axes(i, parent, body);
  Motion vJ, aJ, cJ;
  for (const Axis& axis : body.axes) {
    const auto k = index(axis.idx_v);
    vJ = vJ + axis.S * (axis.multiplier * v[k]);
    aJ = aJ + axis.S * (axis.multiplier * a[k]);
    cJ = cJ + axis.Pd * (axis.multiplier * v[k]);  // v x vJ = v_parent x vJ
  }
  body.v = c_.label(parent.v + vJ, c_.of_body("v", i));
  body.a = c_.label(parent.a + aJ + cJ, c_.of_body("a", i));
  const bool one_axis = body.axes.size() == 1;
  for (Axis& axis : body.axes) {
    axis.Sd = one_axis ? axis.Pd : c_.label(cross(body.v, axis.S), "Sd" + axis.name);
    axis.rate = axis.Pd + axis.Sd;
  }
  body.I = frames_.pose(i).outward(c_.inertia(i, Grouping::J_xx));
  c_.label(body.I.h, c_.of_body("h_alone", i));
  c_.label(body.I.J, c_.of_body("J_alone", i));
  const Force momentum = body.I * body.v;
  body.B = coriolis(body.I, body.v, momentum);
  body.F = body.I * body.a + cross_dual(body.v, momentum);
  if (c_.has_forces()) {
    const ExternalForces external = external_forces_on(
        c_, i, [&](int k, const Vector3& x) { return frames_.from_parents_frame(k, x); },
        [&](const Vector3& p) { return frames_.pose(i).origin() + frames_.pose(i).outward(p); });
    body.F = body.F + external.wrench * Scalar(-1.0);
    body.turning = external.turning;
  }
  c_.label(momentum, c_.of_body("Iv", i));
  c_.label(body.B.K, c_.of_body("K_alone", i));
  c_.label(body.F, c_.of_body("F_alone", i));
  bodies_.push_back(std::move(body));
}

void CompositeMotion::label_composite(int i) {
  const CompositeBody& own = body(i);
  c_.label(own.I.h, c_.of_body("h", i));
  c_.label(own.I.J, c_.of_body("J", i));
  c_.label(own.B, c_.of_body("B", i));
  c_.label(own.F, c_.of_body("F", i));
  c_.label(own.turning, c_.of_body("E", i));
}

void CompositeMotion::add_to_parent(int i) {
  const int parent = c_.parent(i);
  if (parent < 0) return;
  const CompositeBody& own = body(i);
  CompositeBody& above = body(parent);
  frames_.add_to_parents(i, own.I, above.I);
  frames_.add_to_parents(i, own.B, above.B);
  frames_.add_to_parents(i, own.F, above.F);
  if (c_.has_forces()) frames_.add_to_parents(i, own.turning, above.turning);
}

OwnFrames ground_frame(const model::CanonicalTree& tree) {
  return each(tree.bodies,
              [](const model::Body& body) { return body.parent < 0 && body.joint.row().num_slides() > 0; });
}

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
