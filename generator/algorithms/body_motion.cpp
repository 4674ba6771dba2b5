#include "algorithms/body_motion.hpp"

#include "algorithms/external_forces.hpp"

namespace featherline::algorithms {

template <class T>
Matrix3<T> acceleration_tensor(const Vector3<T>& w, const Vector3<T>& wd) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{{-(yy + zz), xy - wd.z, xz + wd.y},
           {xy + wd.z, -(xx + zz), yz - wd.x},
           {xz - wd.y, yz + wd.x, -(xx + yy)}}};
}

template <class T>
BodyMotion<T> BodyMotion<T>::seen_from(const Matrix3<T>& R, const Vector3<T>& p) const {
  const Matrix3<T> to_frame = R.transposed();
  BodyMotion m{to_frame * w, to_frame * wd, to_frame * (a + U * p), {}};
  m.U = acceleration_tensor(m.w, m.wd);
  return m;
}

template <class T>
void BodyMotions<T>::outward(int i) {
  joints_.push_back(joint_motion(c_, i));
  const JointMotion<T>& X = joints_.back();
  const BodyMotion<T> parent = parent_motion(i);
  const Motion<T> vJ = joint_rate(c_, i, v_), aJ = joint_rate(c_, i, a_);

  BodyMotion<T> m;
  const Vector3<T> w_parent = X.R.to_child(parent.w);
  m.w = c_.label(w_parent + vJ.w, c_.of_body("w", i));
  m.wd = c_.label(X.R.to_child(parent.wd) + cross(w_parent, vJ.w) + aJ.w, c_.of_body("wd", i));
  const Vector3<T> a_parent = c_.label(parent.a + parent.U * X.p, c_.of_body("o", i));
  // Of the vectors of the world, a root body without forces sees only gravity.
  const bool alone = c_.parent(i) < 0 && !c_.has_forces();
  const Vector3<T> a_carried = alone ? X.R.to_child_alone(a_parent) : X.R.to_child(a_parent);
  m.a = c_.label(a_carried + cross(w_parent, vJ.u) * T(2.0) + cross(vJ.w, vJ.u) + aJ.u, c_.of_body("a", i));
  m.U = acceleration_tensor(m.w, m.wd);
  c_.label(m.w.x * m.w.y, c_.of_body("wxwy", i));
  c_.label(m.w.x * m.w.z, c_.of_body("wxwz", i));
  c_.label(m.w.y * m.w.z, c_.of_body("wywz", i));
  motion_.push_back(m);
}

template <class T>
BodyMotion<T> BodyMotions<T>::parent_motion(int i) const {
  if (const int parent = c_.parent(i); parent >= 0) return body(parent);
  BodyMotion<T> ground;
  ground.a = -gravity_;
  return ground;
}

template <class T>
Vector3<T> BodyMotions<T>::in_axes_of(int i, const Vector3<T>& x) const {
  Vector3<T> carried = x;
  for (const int k : c_.path_to(i)) carried = joint(k).R.to_child(carried);
  return carried;
}

template <class T>
Force<T> BodyMotions<T>::external_wrench(int i) const {
  return external_forces_on(
             c_, i, [&](const Vector3<T>& x) { return in_axes_of(i, x); },
             [](const Vector3<T>& p) { return p; })
      .wrench;
}

template struct BodyMotion<Scalar>;
template struct BodyMotion<double>;
template class BodyMotions<Scalar>;
template class BodyMotions<double>;

}  // namespace featherline::algorithms
