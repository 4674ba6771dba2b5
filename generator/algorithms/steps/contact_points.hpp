#pragma once

#include "algorithms/constraints/constraint_solver.hpp"
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

}  // namespace featherline::algorithms
