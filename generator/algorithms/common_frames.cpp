#include "algorithms/common_frames.hpp"

namespace featherline::algorithms {

Motion cross(const Motion& v, const Motion& m) { return {v.w.cross(m.w), v.w.cross(m.u) + v.u.cross(m.w)}; }

Force cross_dual(const Motion& v, const Force& f) {
  return {v.w.cross(f.n) + v.u.cross(f.f), v.w.cross(f.f)};
}

Scalar dot(const Force& f, const Motion& m) { return f.n.dot(m.w) + f.f.dot(m.u); }

Force SymbolicInertia::operator*(const Motion& v) const {
  return {J * v.w + h.cross(v.u), v.u * m + v.w.cross(h)};
}

Force Coriolis::times(const Motion& s) const { return {K * s.w - n.cross(s.w), f.cross(s.w) * Scalar(-2.0)}; }

Vector3 Coriolis::transposed_times(const Motion& s) const {
  return K * s.w + n.cross(s.w) + f.cross(s.u) * Scalar(2.0);
}

namespace {

/// [w]x J + ([w]x J)^T, the rate of J while its body turns: differences and doubles of J are formed first because
/// they fold where J is constant.
Matrix3 turning_rate(const Vector3& w, const Matrix3& J) {
  const Scalar xy2 = J(0, 1) * Scalar(2.0), xz2 = J(0, 2) * Scalar(2.0), yz2 = J(1, 2) * Scalar(2.0);
  const Scalar x = w.x(), y = w.y(), z = w.z();
  const Scalar xy = z * (J(0, 0) - J(1, 1)) + y * J(1, 2) - x * J(0, 2);
  const Scalar xz = y * (J(2, 2) - J(0, 0)) + x * J(0, 1) - z * J(1, 2);
  const Scalar yz = x * (J(1, 1) - J(2, 2)) + z * J(0, 2) - y * J(0, 1);
  Matrix3 K;
  K << y * xz2 - z * xy2, xy, xz, xy, z * xy2 - x * yz2, yz, xz, yz, x * yz2 - y * xz2;
  return K;
}

bool is_constant(const Vector3& v) {
  return v.x().is_constant() && v.y().is_constant() && v.z().is_constant();
}

}  // namespace

Coriolis coriolis(const SymbolicInertia& I, const Motion& v, const Force& momentum) {
  return {turning_rate(v.w, I.J) + parallel_axis(I.h, v.u), momentum.n, momentum.f};
}

Matrix3 parallel_axis(const Vector3& g, const Vector3& p) {
  const Vector3 g2 = is_constant(p) ? g : Vector3(g * Scalar(2.0));  // the doubling folds into a constant
  const Vector3 p2 = is_constant(p) ? Vector3(p * Scalar(2.0)) : p;
  const Scalar xx = g2.x() * p2.x(), yy = g2.y() * p2.y(), zz = g2.z() * p2.z();
  const Scalar xy = -(g.x() * p.y() + g.y() * p.x());
  const Scalar xz = -(g.x() * p.z() + g.z() * p.x());
  const Scalar yz = -(g.y() * p.z() + g.z() * p.y());
  Matrix3 A;
  A << yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy;
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
    const HomePose pose =
        (parent < 0 ? HomePose() : poses_[static_cast<std::size_t>(parent)]).then(joint_motion(tracer, i));
    poses_.push_back(is_root(i) ? HomePose() : pose);
    crossings_.push_back(pose);
  }
}

}  // namespace featherline::algorithms
