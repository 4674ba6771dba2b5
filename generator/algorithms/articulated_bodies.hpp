#pragma once

#include "algorithms/joints.hpp"
#include "algorithms/matrices.hpp"

namespace featherline::algorithms {

/// Symmetric 6 x 6 inertia [J, H; H^T, M] of a body that carries joints which are free to move.
template <class T>
struct ArticulatedInertia {
  Symmetric3<T> J;
  Matrix3<T> H;
  Symmetric3<T> M;

  /// What moves freely is added to the body's own inertia.
  ArticulatedInertia operator+(const Inertia<T>& own) const;
  ArticulatedInertia operator+(const ArticulatedInertia& other) const {
    return {J + other.J, H + other.H, M + other.M};
  }
  Force<T> operator*(const Motion<T>& m) const { return {J * m.w + H * m.u, H.transposed() * m.w + M * m.u}; }
  /// Less x y^T, where the sum of all that is subtracted is symmetric.
  ArticulatedInertia minus(const Force<T>& x, const Force<T>& y) const;
  /// About the parent's origin, in the parent's axes.
  ArticulatedInertia to_parent(const JointMotion<T>& X) const;
};
/// x of body i, expressed at its parent, as the parent gets it.
template <class T>
ArticulatedInertia<T> at_parent(const Context<T>& context, int i, const ArticulatedInertia<T>& x) {
  return {context.at_parent(i, x.J), context.at_parent(i, x.H), context.at_parent(i, x.M)};
}
template <class T>
void label(Context<T>& context, int i, const ArticulatedInertia<T>& I) {
  context.label(I.J, context.of_body("J", i));
  context.label(I.H, context.of_body("H", i));
  context.label(I.M, context.of_body("M", i));
}

/// Articulated-body inertias in link frames (Featherstone, RBDA table 7.1), then M^-1 b for any number of b with
/// velocity and gravity zero: the "ABA-zero algorithm" AZA of papers 000 (section III-E) and 001 (section V-A).
/// Joints must not share coordinates.
template <class T>
class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(Context<T>& context);

  Coordinates<T> solve(const Coordinates<T>& b) const;

 private:
  struct Joint {
    JointMotion<T> X;
    std::vector<JointAxis<T>> axes;
    std::vector<Force<T>> U;                ///< I^A S, a column per axis
    std::vector<Force<T>> U_D;              ///< U D^-1
    std::vector<Coordinates<T>> D_inverse;  ///< rows of (S^T I^A S)^-1
  };

  /// Removes what the joint's axes take; what remains, the parent feels.
  ArticulatedInertia<T> eliminate(int i, const ArticulatedInertia<T>& articulated);
  void invert_D(int i, Joint& joint) const;
  std::vector<Coordinates<T>> torques(const Coordinates<T>& b) const;

  Context<T>& c_;
  std::vector<Joint> joints_;
};

}  // namespace featherline::algorithms
