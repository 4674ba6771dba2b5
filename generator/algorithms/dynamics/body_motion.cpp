#include "algorithms/dynamics/body_motion.hpp"

namespace featherline::algorithms {

namespace {

Symmetric3 products(const Vector3& w) {
  return {w.x * w.x, w.x * w.y, w.x * w.z, w.y * w.y, w.y * w.z, w.z * w.z};
}

/// U = [wd]x + [w]x[w]x, from the products of w.
Matrix3 acceleration_tensor(const Symmetric3& ww, const Vector3& wd) {
  return {{{-(ww.yy + ww.zz), ww.xy - wd.z, ww.xz + wd.y},
           {ww.xy + wd.z, -(ww.xx + ww.zz), ww.yz - wd.x},
           {ww.xz - wd.y, ww.yz + wd.x, -(ww.xx + ww.yy)}}};
}

}  // namespace

BodyMotion BodyMotion::seen_from(const Matrix3& R, const Vector3& p) const {
  const Matrix3 to_frame = R.transposed();
  BodyMotion m{to_frame * w, to_frame * wd, to_frame * (a + U * p), {}};
  m.U = acceleration_tensor(products(m.w), m.wd);
  return m;
}

void BodyMotions::outward(int i) {
  joints_.push_back(joint_motion(c_, i));
  const JointMotion& X = joints_.back();
  const BodyMotion parent = parent_motion(i);
  const Motion vJ = joint_rate(c_, i, v_), aJ = joint_rate(c_, i, a_);

  BodyMotion m;
  const Vector3 w_parent = X.R.to_child(parent.w);
  m.w = c_.label(w_parent + vJ.w, c_.of_body("w", i));
  m.wd = c_.label(X.R.to_child(parent.wd) + cross(w_parent, vJ.w) + aJ.w, c_.of_body("wd", i));
  const Vector3 a_parent = c_.label(parent.a + parent.U * X.p, c_.of_body("o", i));
  // Of the vectors of the world, a root body without forces sees only gravity.
  const bool alone = c_.parent(i) < 0 && !c_.has_forces();
  const Vector3 a_carried = alone ? X.R.to_child_alone(a_parent) : X.R.to_child(a_parent);
  m.a = c_.label(a_carried + cross(w_parent, vJ.u) * Scalar(2.0) + cross(vJ.w, vJ.u) + aJ.u,
                 c_.of_body("a", i));
  const Symmetric3 ww = products(m.w);
  m.U = acceleration_tensor(ww, m.wd);
  c_.hint(ww, c_.of_body("ww", i));
  c_.label(ww.xy, c_.of_body("ww", i) + "_xy");
  c_.label(ww.xz, c_.of_body("ww", i) + "_xz");
  c_.label(ww.yz, c_.of_body("ww", i) + "_yz");
  c_.hint(m.U, c_.of_body("U", i));
  motion_.push_back(m);
}

BodyMotion BodyMotions::parent_motion(int i) const {
  if (const int parent = c_.parent(i); parent >= 0) return body(parent);
  BodyMotion ground;
  ground.a = -gravity_;
  return ground;
}

Vector3 BodyMotions::in_axes_of(int i, const Vector3& x, const char* half) const {
  Vector3 carried = x;
  for (const int k : c_.path_to(i)) {
    carried = joint(k).R.to_child(carried);
    c_.hint(carried, c_.of_body("fext", i) + c_.of_body("_", k) + half);
  }
  return carried;
}

Force BodyMotions::external_wrench(int i) const {
  return external_forces_on(
             c_, i, [&](const Vector3& x, const char* half) { return in_axes_of(i, x, half); },
             [](const Vector3& p) { return p; })
      .wrench;
}

}  // namespace featherline::algorithms
