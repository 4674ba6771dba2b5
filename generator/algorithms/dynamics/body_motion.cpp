#include "algorithms/dynamics/body_motion.hpp"

namespace featherline::algorithms {

namespace {

Symmetric3 products(const Vector3& w) {
  return {w.x * w.x, w.x * w.y, w.x * w.z, w.y * w.y, w.y * w.z, w.z * w.z};
}

/// Their rates, where w changes by wd.
Symmetric3 product_rates(const Vector3& w, const Vector3& wd) {
  const auto of = [&](int i, int j) { return w[i] * wd[j] + wd[i] * w[j]; };
  return {of(0, 0), of(0, 1), of(0, 2), of(1, 1), of(1, 2), of(2, 2)};
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
  const Vector3 w_seen = to_frame * w, wd_seen = to_frame * wd;
  return {w_seen, wd_seen, to_frame * (a + U * p), acceleration_tensor(products(w_seen), wd_seen)};
}

void BodyMotions::outward(int i) {
  joints_.push_back(joint_motion(c_, i));
  const JointMotion& X = joints_.back();
  BodyMotion parent;
  parent.a = -gravity_;
  if (c_.parent(i) >= 0) parent = body(c_.parent(i));
  const Motion vJ = joint_rate(c_, i, v_), aJ = joint_rate(c_, i, a_);

  BodyMotion m;
  const Vector3 w_parent = X.R.to_child(parent.w);
  m.w = c_.label(w_parent + vJ.w, c_.of_body("w", i));
  m.wd = c_.label(X.R.to_child(parent.wd) + cross(w_parent, vJ.w) + aJ.w, c_.of_body("wd", i));
  const Vector3 a_parent = c_.label(parent.a + parent.U * X.p, c_.of_body("o", i));
  // Of the vectors of the world, a root body without forces sees only gravity.
  const bool alone = c_.parent(i) < 0 && !c_.has_forces();
  carried_.push_back(alone ? X.R.to_child_alone(a_parent) : X.R.to_child(a_parent));
  m.a = c_.label(carried_.back() + cross(w_parent, vJ.u) * Scalar(2.0) + cross(vJ.w, vJ.u) + aJ.u,
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

/// The entries x of a vector of the parent change by x', those of R^T x by R^T x' - vJ x R^T x.
BodyMotion BodyMotions::rate(int i, const BodyMotion& parent_rate, const Coordinates& jerk) const {
  const JointMotion& X = joint(i);
  const BodyMotion &m = body(i), parent = c_.parent(i) < 0 ? BodyMotion{} : body(c_.parent(i));
  const Motion vJ = joint_rate(c_, i, v_), aJ = joint_rate(c_, i, a_), jJ = joint_rate(c_, i, jerk);
  const Vector3 w_parent = X.R.to_child(parent.w), wd_parent = X.R.to_child(parent.wd);
  const Vector3 w_rate = wd_parent + cross(w_parent, vJ.w);  // of w_parent

  BodyMotion rate;
  rate.w = m.wd;
  rate.wd =
      c_.label(X.R.to_child(parent_rate.wd) + cross(wd_parent + w_rate, vJ.w) + cross(w_parent, aJ.w) + jJ.w,
               c_.of_body("rate_wd", i));
  const Vector3 a_rate = parent_rate.a + parent_rate.U * X.p + parent.U * X.R.to_parent(vJ.u);
  rate.a =
      c_.label(X.R.to_child(c_.label(a_rate, c_.of_body("rate_o", i))) + cross(carried_[index(i)], vJ.w) +
                   (cross(w_rate, vJ.u) + cross(w_parent, aJ.u)) * Scalar(2.0) + cross(aJ.w, vJ.u) +
                   cross(vJ.w, aJ.u) + jJ.u,
               c_.of_body("rate_a", i));
  rate.U = c_.hint(acceleration_tensor(product_rates(m.w, m.wd), rate.wd), c_.of_body("rate_U", i));
  return rate;
}

ExternalForces BodyMotions::external_forces(int i) const {
  return external_forces_on(
      c_, i, [&](int k, const Vector3& x) { return joint(k).R.to_child(x); },
      [](const Vector3& p) { return p; });
}

}  // namespace featherline::algorithms
