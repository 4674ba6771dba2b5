#pragma once

#include "algorithms/constraints/constraint_solver.hpp"

/// Forces of constraints where no motor acts. With b = M a + C v + g, the coordinates u without motor, and J_u their
/// columns of J, the equations are J_u^T lambda = b_u. Moments are divided by a length l, and turns multiplied by it:
///
///     B^T = W J_u T,  lambda = W x,  B x = T b_u,
///
/// W = 1 for linear rows, l for turning ones; T = 1 for coordinates that slide, 1/l for those that turn. x is B^+ T b_u:
/// the residual is the least, and then the norm of x. With G = B B^T = L E L^T and pivots dropped as ConstraintFactor
/// does, the columns of Z = L^-T in dropped rows span what B does not reach, so that
///
///     B^+ y = B^T z,  G z = y - Z (Z^T Z)^-1 Z^T y.
///
/// G has the square of the condition of B. A second solution for what the first one leaves of y gives the digits back
/// (Bjorck 1987, corrected seminormal equations).
namespace featherline::algorithms {

class LeastNormForces {
 public:
  /// `J`: by row of the constraints (constraint_jacobian()).
  LeastNormForces(Context& context, const std::vector<Coordinates>& J);

  /// T x_u of x by coordinate, and back: T y, zero in coordinates with motors.
  Coordinates without_motor(const Coordinates& x) const;
  Coordinates by_coordinate(const Coordinates& y) const;
  /// W s x by row, s being 1 where the constraint is active and 0 where not: from x to lambda, from rows of J to B^T.
  Coordinates by_row(Coordinates x) const;

  Coordinates B(const Coordinates& x) const;
  /// B^+ y.
  Coordinates solve(const Coordinates& y) const;
  /// The part of y that no x reaches, Z (Z^T Z)^-1 Z^T y: zero where no row is dropped.
  Coordinates out_of_reach(const Coordinates& y) const;

 private:
  Coordinates solve_once(const Coordinates& y) const;

  int nv_;
  std::vector<int> coordinates_;      ///< without motor
  Coordinates row_weights_, scales_;  ///< W s, T
  std::vector<Coordinates> B_;        ///< by coordinate without motor
  ConstraintFactor factor_;
  Coordinates dropped_;          ///< by row of G, 1 or 0
  std::vector<Coordinates> ZT_;  ///< rows of L^-1
  SparseFactor of_Z_;            ///< of Z^T Z, the identity in rows that are kept
};

}  // namespace featherline::algorithms
