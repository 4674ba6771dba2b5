#pragma once

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/steps/steps.hpp"

/// What steps with contacts share: the code before the solver of impulses, and the call of it.
namespace featherline::algorithms {

/// How velocities answer to impulses: M^-1 J^T.
struct ImpulseResponse {
  SparseFactor factor;
  LinkRows links;
  std::vector<Coordinates> Y;  ///< by row of links, and of joints: L^-T J^T

  template <class F>
  void each_number(const F& f) {
    factor.each_number([&](Scalar& x) { f(x, 1); });
    for (Coordinates& row : Y) {
      for (Scalar& x : row) f(x, 1);
    }
    links.each_number(f);
  }
  int num_rows() const { return links.num_rows(); }
  Coordinates change(const Coordinates& impulse) const {
    Coordinates y(Y.front().size(), Scalar(0.0));
    const Coordinates of_links = links.of_links(impulse);
    for (std::size_t r = 0; r < Y.size(); ++r) add_multiple(y, of_links[r], Y[r]);
    return factor.from_half(std::move(y));
  }
};

/// What impulses change of the velocities, in the kernel of the function behind the solver: from the numbers in its
/// input 0.
using ChangeOfVelocity = std::function<Coordinates(Context&, ir::Kernel&)>;
/// Entries of inputs of this kernel, by lane.
Coordinates entries_of(ir::Kernel& kernel, int input, const std::vector<std::vector<int>>& places);

/// The arrays "D", "speeds" and "free", which are velocities without impulses and dt, and "solver", the numbers of the
/// response; then the call that writes "impulse" and "status".
struct SolvedContacts {
  ImpulseResponse response;
  int solver_size;
};
SolvedContacts solve_contacts(Context& context);
/// The call of the solver, which begins with the input "start" where there is one.
void call_solver(Context& context);
/// Makes the function behind the solver and calls it: (solver, q, free, impulse) to (q_next, v_next); with joints also
/// their pushes to joint_impulse.
void end_step(Context& context, int solver_size, const ChangeOfVelocity& change);

// Derivatives of contact_step, the modes held. With a = (v' - v) / dt, inverse dynamics ID, U and G of
// featherline/contact_derivatives.hpp, and x one of the coordinates of q, v and tau,
//
//   b = dt d(tau - ID(q, v, a))/dx + d(J^T impulse)/dx + M dv/dx  at constant a and impulse,
//   U = J M^-1 b + d(J v')/dx - d(wanted)/dx  at constant v',
//   dv' = M^-1 (b - J^T G U),  dq' = P_q dq + dt P_v dv'.
//
// With respect to a chosen parameter p, b = -dt d ID/dp at constant a, and U is J M^-1 b alone.
//
// One function behind the solver computes right sides: b, and U but for J M^-1 b. Another one computes columns,
// several side by side.

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
