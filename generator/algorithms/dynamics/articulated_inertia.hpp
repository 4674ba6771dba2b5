#pragma once

#include "joints/symbolic/joints.hpp"

namespace featherline::algorithms {

/// A - x y^T.
inline Matrix3 minus_outer(const Matrix3& A, const Vector3& x, const Vector3& y) {
  return {{A.rows[0] - y * x.x, A.rows[1] - y * x.y, A.rows[2] - y * x.z}};
}

/// A - x y^T where the sum of all that is subtracted is symmetric.
inline Symmetric3 minus_symmetric(const Symmetric3& A, const Vector3& x, const Vector3& y) {
  return {A.xx - x.x * y.x, A.xy - x.x * y.y, A.xz - x.x * y.z,
          A.yy - x.y * y.y, A.yz - x.y * y.z, A.zz - x.z * y.z};
}

/// Symmetric 6 x 6 inertia [J, H; H^T, M] of a body that carries joints which are free to move.
struct ArticulatedInertia {
  Symmetric3 J;
  Matrix3 H;
  Symmetric3 M;

  Force operator*(const Motion& m) const { return {J * m.w + H * m.u, H.transposed() * m.w + M * m.u}; }
  ArticulatedInertia operator+(const ArticulatedInertia& other) const {
    return {J + other.J, H + other.H, M + other.M};
  }
  /// Less x y^T, where the sum of all that is subtracted is symmetric.
  ArticulatedInertia minus(const Force& x, const Force& y) const {
    return {minus_symmetric(J, x.n, y.n), minus_outer(H, x.n, y.f), minus_symmetric(M, x.f, y.f)};
  }
  ArticulatedInertia to_parent(const JointMotion& X) const;

  template <class Self, class F>
  static void each_part(Self& I, const F& f) {
    f(I.J, "J");
    f(I.H, "H");
    f(I.M, "M");
  }
};

/// About the parent's origin, in the parent's axes: rotation, then shift by p. With P = [p]x and H1 = R H R^T,
/// M1 = R M R^T:
///   M' = M1,  H' = H1 + P M1,  J' = R J R^T + P H1^T + (P H1^T)^T + P M1 P^T.
inline ArticulatedInertia ArticulatedInertia::to_parent(const JointMotion& X) const {
  Matrix3 half, H1;
  for (int k = 0; k < 3; ++k) half.rows[k] = X.R.to_parent(H.column(k));  // (R H)^T
  for (int k = 0; k < 3; ++k) H1.rows[k] = X.R.to_parent(half.column(k));
  const Matrix3 P = cross_matrix(X.p);
  ArticulatedInertia result;
  result.M = X.R.to_parent(M);
  result.H = H1 + P * result.M.full();
  const Matrix3 A = P * H1.transposed(), B = result.H * P.transposed();  // B = H1 P^T + P M1 P^T
  const Symmetric3 J1 = X.R.to_parent(J);
  const auto entry = [&](int r, int c) { return J1(r, c) + (A(r, c) + B(r, c)); };
  result.J = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  return result;
}

}  // namespace featherline::algorithms
