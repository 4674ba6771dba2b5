#pragma once

#include "algorithms/matrices.hpp"
#include "algorithms/steps/contact_points.hpp"

/// Derivatives of contact_step, the modes held. With a = (v' - v) / dt, inverse dynamics ID, U and G of
/// featherline/contact_derivatives.hpp, and x one of the coordinates of q, v and tau,
///
///   b = dt d(tau - ID(q, v, a))/dx + d(J^T impulse)/dx + M dv/dx  at constant a and impulse,
///   U = J M^-1 b + d(J v')/dx - d(wanted)/dx  at constant v',
///   dv' = M^-1 (b - J^T G U),  dq' = P_q dq + dt P_v dv'.
///
/// With respect to a chosen parameter p, b = -dt d ID/dp at constant a, and U is J M^-1 b alone.
///
/// One function behind the solver computes right sides: b, and U but for J M^-1 b. Another one computes columns,
/// several side by side.
namespace featherline::algorithms {

/// What columns are derivatives by.
enum class By { position, velocity, torque, parameter };

/// Columns of one output that one call computes side by side.
struct ColumnGroup {
  const char* output;
  int coordinate, lanes, first;  ///< the first column; how many there are; where their right sides begin
  By by;

  /// Whether P_q stands behind b and U.
  bool moves_q() const { return by == By::position; }
  /// Numbers in the right side of one column.
  int rows(int n, int m) const { return n + m + (moves_q() ? n : 0); }
};

/// Columns of an output from `first` on, `end` excluded.
struct ColumnRange {
  const char* output;
  int first, end;
  By by;
};

/// Cuts each range into groups of at most `most_lanes` columns. Right sides of groups lie one behind the other, for n
/// velocities and m rows of points.
std::vector<ColumnGroup> column_groups(const std::vector<ColumnRange>& ranges, int n, int m, int most_lanes);

/// dt P_v, where it is not dt: rows of joints that do not move by adding.
struct PositionRates {
  Scalar dt;
  SquareMatrix by_step;
  std::vector<bool> adds;

  PositionRates(const Context& c, const Scalar& step, SquareMatrix ddv);
  template <class F>
  void each_number(const F& f) {
    f(dt, 1);
    for (int k = 0; k < by_step.size() * by_step.size(); ++k) f(by_step.data()[k], 1);
  }
  Coordinates operator()(const Coordinates& dv) const;
};

/// What the columns are solved from.
struct RightSides {
  std::vector<StoredEntry> columns;
  PositionRates rates;
};

/// `c`: of the function behind the solver.
RightSides right_sides(Context& c, const ImpulseResponse& response, const std::vector<ColumnGroup>& groups);

}  // namespace featherline::algorithms
