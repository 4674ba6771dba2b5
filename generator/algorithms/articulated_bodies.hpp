#pragma once

#include "algorithms/joints.hpp"
#include "algorithms/matrices.hpp"

namespace featherline::algorithms {

/// Articulated-body inertias in link frames (Featherstone, RBDA table 7.1), then M^-1 b for any number of b with
/// velocity and gravity zero: the "ABA-zero algorithm" AZA of papers 000 (section III-E) and 001 (section V-A).
/// Joints must not share coordinates.
template <class T>
class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(Context<T>& context);

  Coordinates<T> solve(const Coordinates<T>& b) const;

 private:
  /// Symmetric 6 x 6 inertia [J H; H^T M].
  struct ArticulatedInertia {
    Symmetric3<T> J;
    Matrix3<T> H;
    Symmetric3<T> M;
  };
  struct Joint {
    JointMotion<T> X;
    std::vector<JointAxis<T>> axes;
    std::vector<Force<T>> U;                ///< I^A S, a column per axis
    std::vector<Force<T>> U_D;              ///< U D^-1
    std::vector<Coordinates<T>> D_inverse;  ///< rows of (S^T I^A S)^-1
  };

  void add_own(int i, ArticulatedInertia& I) const;
  void eliminate(int i, const ArticulatedInertia& articulated, ArticulatedInertia& remaining);
  void invert_D(int i, Joint& joint) const;
  static ArticulatedInertia to_parent(const JointMotion<T>& X, const ArticulatedInertia& I);
  std::vector<Coordinates<T>> torques(const Coordinates<T>& b) const;

  Context<T>& c_;
  std::vector<Joint> joints_;
};

}  // namespace featherline::algorithms
