#pragma once

#include "algorithms/constraints/delassus_lanes.hpp"

/// Forces of constraints where no motor acts. With b = M a + C v + g, the coordinates u without motor, and J_u their
/// columns of J, the equations are J_u^T lambda = b_u. Moments are divided by a length l, and turns multiplied by it:
///
///     B^T = W J_u T,  lambda = W x,  B x = T b_u,
///
/// W = 1 for linear rows, l for turning ones; T = 1 for coordinates that slide, 1/l for those that turn. x is B^+ T
/// b_u: the residual is the least, and then the norm of x. With G = B B^T = L E L^T and pivots dropped as
/// ConstraintFactor does, the columns of Z = L^-T in dropped rows span what B does not reach, so that
///
///     B^+ y = B^T z,  G z = y - Z (Z^T Z)^-1 Z^T y.
///
/// G has the square of the condition of B. A second solution for what the first one leaves of y gives the digits back
/// (Bjorck 1987, corrected seminormal equations).
///
/// In limb lanes rows are those of folded constraints. Only the trunk has coordinates without motor.
namespace featherline::algorithms {

class LeastNormForces {
 public:
  /// `J`: by row of the constraints (constraint_jacobian()).
  LeastNormForces(Context& context, const std::vector<ConstraintMotion>& motions,
                  const std::vector<Coordinates>& J);

  const LimbRows& rows() const { return rows_; }
  /// How many coordinates have no motor; and T.
  std::size_t count() const { return B_.size(); }
  const Coordinates& scales() const { return scales_; }
  /// T x_u of x by coordinate, and back: T y, zero in coordinates with motors.
  Coordinates without_motor(const Coordinates& x) const;
  Coordinates by_coordinate(const Coordinates& y) const;
  /// W s x by row, s being 1 where the constraint is active and 0 where not: from x to lambda, from rows of J to B^T.
  Coordinates by_row(Coordinates x) const;

  const std::vector<Coordinates>& B() const { return B_; }
  /// The products of rows by coordinate without motor, or of those columns, with x.
  Coordinates products(const std::vector<Coordinates>& rows, const Coordinates& x) const;
  /// B^+ y.
  Coordinates solve(const Coordinates& y) const;
  /// The part of y that no x reaches, Z (Z^T Z)^-1 Z^T y: zero where no row is dropped.
  Coordinates out_of_reach(const Coordinates& y) const;

 private:
  /// The sum over all rows of all limbs.
  Scalar product(const Coordinates& x, const Coordinates& y) const;
  SquareMatrix products(Context& context) const;
  Coordinates solve_once(const Coordinates& y) const;

  int nv_;
  LimbRows rows_;
  std::vector<int> coordinates_;      ///< without motor
  Coordinates row_weights_, scales_;  ///< W s, T
  std::vector<Coordinates> B_;        ///< by coordinate without motor
  SquareMatrix G_;
  ConstraintFactor factor_;
  Coordinates dropped_;          ///< by row of G, 1 or 0
  std::vector<Coordinates> ZT_;  ///< rows of L^-1
  SparseFactor of_Z_;            ///< of Z^T Z, the identity in rows that are kept
};

}  // namespace featherline::algorithms
