#pragma once

#include "algorithms/matrices.hpp"
#include "joints/symbolic/joints.hpp"

namespace featherline::algorithms {

/// Symmetric 6 x 6 inertia [J, H; H^T, M] of a body that carries joints which are free to move.
struct ArticulatedInertia {
  Symmetric3 J;
  Matrix3 H;
  Symmetric3 M;

  /// What moves freely is added to the body's own inertia.
  ArticulatedInertia operator+(const Inertia& own) const;
  ArticulatedInertia operator+(const ArticulatedInertia& other) const {
    return {J + other.J, H + other.H, M + other.M};
  }
  Force operator*(const Motion& m) const { return {J * m.w + H * m.u, H.transposed() * m.w + M * m.u}; }
  /// Less x y^T, where the sum of all that is subtracted is symmetric.
  ArticulatedInertia minus(const Force& x, const Force& y) const;
  /// About the parent's origin, in the parent's axes.
  ArticulatedInertia to_parent(const JointMotion& X) const;
};
template <class F>
ArticulatedInertia map_entries(const ArticulatedInertia& I, const F& f) {
  return {map_entries(I.J, f), map_entries(I.H, f), map_entries(I.M, f)};
}
inline void label(Context& context, int i, const ArticulatedInertia& I) {
  context.label(I.J, context.of_body("J", i));
  context.label(I.H, context.of_body("H", i));
  context.label(I.M, context.of_body("M", i));
}

/// Articulated-body inertias in link frames (Featherstone, RBDA table 7.1), then M^-1 b for any number of b with
/// velocity and gravity zero: the "ABA-zero algorithm" AZA of papers 000 (section III-E) and 001 (section V-A).
/// Joints must not share coordinates.
class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(Context& context);

  Coordinates solve(const Coordinates& b) const;

 private:
  struct Joint {
    JointMotion X;
    std::vector<JointAxis> axes;
    std::vector<Force> U;                ///< I^A S, a column per axis
    std::vector<Force> U_D;              ///< U D^-1
    std::vector<Coordinates> D_inverse;  ///< rows of (S^T I^A S)^-1
  };

  /// Removes what the joint's axes take; what remains, the parent feels.
  ArticulatedInertia eliminate(int i, const ArticulatedInertia& articulated);
  void invert_D(int i, Joint& joint) const;
  std::vector<Coordinates> torques(const Coordinates& b) const;

  Context& c_;
  std::vector<Joint> joints_;
};

}  // namespace featherline::algorithms
