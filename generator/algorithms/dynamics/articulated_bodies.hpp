#pragma once

#include "algorithms/matrices.hpp"
#include "joints/symbolic/joints.hpp"

#include <utility>

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

enum class Elimination {
  by_joint,  ///< the axes of a joint together, by the inverse of a matrix
  by_axis,   ///< from the last to the first, as if they were joints with bodies without mass between them
};

/// Articulated-body inertias in link frames (Featherstone, RBDA table 7.1), then M^-1 b for any number of b with
/// velocity and gravity zero: the "ABA-zero algorithm" AZA of papers 000 (section III-E) and 001 (section V-A).
/// Joints must not share coordinates (has_own_coordinates()).
///
/// A rotor on the parent of its joint is one with the joint: its axis, N times as fast, is a part of the joint's S. It
/// is a couple, which is the same at every point, so it may stand in the frame of the joint's body.
class ArticulatedBodies {
 public:
  /// Torques, and the wrench that each body needs without acceleration.
  struct Load {
    Coordinates b;
    std::vector<Force> wrenches;
  };

  /// `load`: what accelerations() takes, made of it in the same sweep, while U D^-1 is at hand.
  explicit ArticulatedBodies(Context& context, Elimination elimination = Elimination::by_joint,
                             Load* load = nullptr);

  Coordinates solve(const Coordinates& b) const;
  /// From the torques that take() leaves.
  Coordinates accelerations(const Coordinates& u) const;

 private:
  struct Axis {
    Motion S;
    int idx_v;
    std::string name;
    Force U = {};    ///< I^A S
    Force U_D = {};  ///< its column of U D^-1
  };
  /// Axes that are eliminated together.
  struct Block {
    std::vector<Axis> axes;
    SquareMatrix D_inverse;  ///< (S^T I^A S)^-1
  };
  struct Joint {
    JointMotion X;
    std::vector<Block> blocks;
  };

  /// What the rotors of joint i have of U, and what they add to D.
  std::pair<Force, Scalar> geared(int i) const;
  std::vector<Block> blocks(int i, Elimination elimination) const;
  /// Removes what the axes take of I.
  void eliminate(int i, Block& block, ArticulatedInertia& I) const;
  /// Takes from the torques of joint i what it and the joints further out have to bear.
  void take(int i, Load& load) const;

  Context& c_;
  std::vector<Joint> joints_;
};

/// Forward dynamics: what bodies need on their own goes inward once, with what their joints leave of it.
Coordinates acceleration_by_bodies(Context& context, const Coordinates& v, const Coordinates& tau,
                                   Elimination elimination);

}  // namespace featherline::algorithms
