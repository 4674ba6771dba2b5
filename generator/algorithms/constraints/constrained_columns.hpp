#pragma once

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/derivatives/common_frames.hpp"

#include <string>
#include <vector>

/// The columns of the derivatives of constrained dynamics, as right-hand sides. With r = d(M a + h - J^T lambda)/dx and
/// k = d(J a + gamma)/dx at constant a and lambda (constrained_dynamics.hpp), the derivatives da and dlambda along x
/// solve
///
///     M da - J^T dlambda = dtau/dx - r,  J da = -k.
namespace featherline::algorithms {

/// M, and tau - h, from the same pass as derivatives.
struct FreeRobot {
  FreeRobot(Context& context, const OwnFrames& own_frames);

  SquareMatrix M;
  Coordinates net_torque;
};

struct DerivativeColumn {
  char x;                ///< what it is a derivative by: 'q', 'v', or 't' for tau
  int coordinate;        ///< of the walked tree
  Coordinates b, gamma;  ///< dtau/dx - r, and k
  /// Is added to dlambda in axes of the world, because lambda turns along with the base. Empty: nothing.
  Coordinates turned;

  bool is_zero() const;
  /// "da_dq" for quantity "da".
  std::string output(const char* quantity) const;
};

/// Those by q, then by v, then by tau. `a` and `lambda` solve the equations at this state; lambda is in the axes that
/// the rows are in.
std::vector<DerivativeColumn> derivative_columns(Context& context, const OwnFrames& own_frames,
                                                 const Coordinates& a, const Coordinates& lambda);

}  // namespace featherline::algorithms
