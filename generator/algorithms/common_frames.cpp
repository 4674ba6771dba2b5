#include "algorithms/common_frames.hpp"

namespace featherline::algorithms {

Motion cross(const Motion& v, const Motion& m) { return {v.w.cross(m.w), v.w.cross(m.u) + v.u.cross(m.w)}; }

Force cross_dual(const Motion& v, const Force& f) { return {v.w.cross(f.n) + v.u.cross(f.f), v.w.cross(f.f)}; }

Scalar dot(const Force& f, const Motion& m) { return f.n.dot(m.w) + f.f.dot(m.u); }

Force SymbolicInertia::operator*(const Motion& v) const { return {J * v.w + h.cross(v.u), v.u * m + v.w.cross(h)}; }

Force Coriolis::times(const Motion& s) const { return {K * s.w - n.cross(s.w), f.cross(s.w) * Scalar(-2.0)}; }

Vector3 Coriolis::transposed_times(const Motion& s) const {
  return K * s.w + n.cross(s.w) + f.cross(s.u) * Scalar(2.0);
}

Coriolis coriolis(const SymbolicInertia& I, const Motion& v, const Force& momentum) {
  const Matrix3 A = cross(v.w) * I.J;
  return {A + A.transpose() + parallel_axis(I.h, v.u), momentum.n, momentum.f};
}

Matrix3 parallel_axis(const Vector3& g, const Vector3& p) {
  const Scalar xx = g.x() * p.x(), yy = g.y() * p.y(), zz = g.z() * p.z();
  const Scalar xy = -(g.x() * p.y() + g.y() * p.x());
  const Scalar xz = -(g.x() * p.z() + g.z() * p.x());
  const Scalar yz = -(g.y() * p.z() + g.z() * p.y());
  const Scalar two = 2.0;
  Matrix3 A;
  A << two * (yy + zz), xy, xz, xy, two * (xx + zz), yz, xz, yz, two * (xx + yy);
  return A;
}

HomePose HomePose::then(const JointMotion& joint) const {
  HomePose next;
  next.p_ = joint_ ? Vector3(p_ + to_home(joint.p)) : joint.p;
  next.joint_ = joint.R;
  if (joint_) next.R_ = R_ ? Matrix3(*R_ * joint_->matrix()) : joint_->matrix();
  return next;
}

Vector3 HomePose::to_home(const Vector3& v) const {
  if (!joint_) return v;
  const Vector3 u = joint_->to_parent(v);
  return R_ ? Vector3(*R_ * u) : u;
}

Vector3 HomePose::from_home(const Vector3& v) const {
  if (!joint_) return v;
  return joint_->to_child(R_ ? Vector3(R_->transpose() * v) : v);
}

Motion HomePose::motion_to_home(const Motion& m) const {
  const Vector3 w = to_home(m.w);
  return {w, to_home(m.u) + p_.cross(w)};
}

Motion HomePose::motion_from_home(const Motion& m) const {
  return {from_home(m.w), from_home(m.u + m.w.cross(p_))};
}

Force HomePose::force_to_home(const Force& f) const {
  const Vector3 force = to_home(f.f);
  return {to_home(f.n) + p_.cross(force), force};
}

Matrix3 HomePose::symmetric_to_home(const Matrix3& A) const {
  const Matrix3 B = joint_->symmetric_to_parent(A);
  return R_ ? congruence(*R_, B) : B;
}

SymbolicInertia HomePose::inertia_to_home(const SymbolicInertia& I) const {
  if (!joint_) return I;
  const Vector3 h = to_home(I.h);
  const Vector3 g = h + p_ * (I.m * Scalar(0.5));
  return {I.m, h + p_ * I.m, symmetric_to_home(I.J) + parallel_axis(g, p_)};
}

Coriolis HomePose::coriolis_to_home(const Coriolis& B) const {
  if (!joint_) return B;
  const Vector3 f = to_home(B.f);
  return {symmetric_to_home(B.K) + parallel_axis(f, p_), to_home(B.n) + p_.cross(f), f};
}

CommonFrames::CommonFrames(Tracer& tracer, FrameRoots roots) : roots_(std::move(roots)) {
  for (int i = 0; i < tracer.num_bodies(); ++i) {
    tracer.begin_section(i, "placement");
    const int parent = tracer.body(i).parent;
    const HomePose pose = (parent < 0 ? HomePose() : poses_[static_cast<std::size_t>(parent)]).then(joint_motion(tracer, i));
    poses_.push_back(is_root(i) ? HomePose() : pose);
    crossings_.push_back(pose);
  }
}

}  // namespace featherline::algorithms
