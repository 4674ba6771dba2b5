#pragma once

#include "algorithms/common_frames.hpp"

namespace featherline::algorithms {

/// Articulated-body inertias in link frames (Featherstone, RBDA table 7.1), then M^-1 b for any number of b with
/// velocity and gravity zero: the "ABA-zero algorithm" AZA of papers 000 (section III-E) and 001 (section V-A).
/// Joints must not share coordinates.
class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(Tracer& tracer);

  Coordinates solve(const Coordinates& b) const;

 private:
  /// Symmetric 6 x 6 inertia [J H; H^T M].
  struct Inertia {
    Matrix3 J = Matrix3::Zero(), H = Matrix3::Zero(), M = Matrix3::Zero();
  };
  struct Joint {
    JointMotion X;
    std::vector<JointAxis> axes;
    std::vector<Force> U;                ///< I^A S, a column per axis
    std::vector<Force> U_D;              ///< U D^-1
    std::vector<Coordinates> D_inverse;  ///< rows of (S^T I^A S)^-1
  };

  void eliminate(int i, const Inertia& articulated, Inertia& remaining);
  static Inertia to_parent(const JointMotion& X, const Inertia& I);

  Tracer& t_;
  std::vector<Joint> joints_;
};

}  // namespace featherline::algorithms
