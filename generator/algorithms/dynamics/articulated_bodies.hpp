#pragma once

#include "algorithms/dynamics/articulated_inertia.hpp"
#include "algorithms/matrices.hpp"

#include <utility>

namespace featherline::algorithms {

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
  explicit ArticulatedBodies(Context& context, Elimination elimination = Elimination::by_joint);

  Coordinates solve(const Coordinates& b) const;

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
  /// b minus what the joints further out take of it.
  Coordinates torques(Coordinates b) const;

  Context& c_;
  std::vector<Joint> joints_;
};

}  // namespace featherline::algorithms
