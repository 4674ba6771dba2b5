#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/steps/steps.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>

/// v' = v + dt a + M^-1 J^T impulse, q' = q (+) dt v', with M as damping and springs at the new state make it (steps.hpp).
/// The impulses are those of featherline/contact_step.hpp.
namespace featherline::algorithms {
namespace {

/// What the velocities behind the solver need.
struct Response {
  SparseFactor factor;
  std::vector<Coordinates> Y;  ///< by row: L^-T J^T

  template <class F>
  void each_number(const F& f) {
    factor.each_number([&](Scalar& x) { f(x, 1); });
    for (Coordinates& row : Y) {
      for (Scalar& x : row) f(x, 1);
    }
  }
  /// M^-1 J^T impulse.
  Coordinates change(const Coordinates& impulse) const {
    Coordinates y(Y.front().size(), Scalar(0.0));
    for (std::size_t r = 0; r < Y.size(); ++r) add_multiple(y, impulse[r], Y[r]);
    return factor.from_half(std::move(y));
  }
};

/// The function behind the solver: (solver, q, free, impulse) to (q_next, v_next); `free` ends with dt.
std::shared_ptr<const ir::Kernel> end_of_step(const Context& c, const Response& response, int solver_size) {
  const int nv = c.nv(), nq = c.tree().nq, rows = static_cast<int>(response.Y.size());
  auto kernel = std::make_shared<ir::Kernel>(
      trace(c.full_tree(), {{"solver", solver_size}, {"q", nq}, {"free", nv + 1}, {"impulse", rows}},
            {{"q_next", nq}, {"v_next", nv}}, [](Context&) {}));
  Context end(c.full_tree(), *kernel);
  Coordinates v = end.input("free");
  const Scalar dt = v.back();
  v.pop_back();
  end.begin_section("velocities after the impulses");
  v = end.keep(std::move(v) + solver_of_numbers(response, *kernel).change(end.input("impulse")));
  end.output_positions("q_next", position_after(end, end.input("q"), plus(end.zeros(), dt, v)));
  end.output("v_next", v);
  kernel->name = "end";
  return kernel;
}

}  // namespace

bool has_contact_points_alone(const model::Tree& tree) {
  const auto may_open = [](const auto& c) { return model::may_open(c.type); };
  return tree.constraints.count() > 0 && std::ranges::all_of(tree.constraints.all, may_open);
}

void contact_step(Context& c) {
  const Coordinates& v = c.input("v");
  SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  c.begin_section("velocities without impulses");
  Coordinates free = c.keep(plus(v, c.dt(), factor.solve(net_torque(c, v, c.input("tau")))));
  const auto motions = constraint_motions(c, {}, RowAxes::of_world);
  const std::vector<Coordinates> J = constraint_jacobian(c, motions);
  Response response{factor, halves(c, factor, J)};
  c.local("D", delassus_matrix(c, factor, J).column_major());
  Coordinates speeds = speeds_of_rows(J, free);
  const Coordinates before = speeds_of_rows(J, v);
  speeds.insert(speeds.end(), before.begin(), before.end());
  speeds.push_back(c.dt());
  c.local("speeds", speeds);
  free.push_back(c.dt());
  c.local("free", free);
  const std::vector<StoredEntry> numbers = solver_numbers(response);
  const int size = numbers.empty() ? 1 : numbers.back().places.back() + 1;  // C++ has no empty arrays
  c.local("solver", size, numbers);
  c.call({.routine = ir::Routine::contact_impulses,
          .arguments = c.arrays({"D", "speeds", "contact", "impulse", "status"}),
          .num_points = static_cast<int>(motions.size())});
  c.call({.arguments = c.arrays({"solver", "q", "free", "impulse", "q_next", "v_next"}),
          .first = std::vector<int>(6, 0),
          .body = end_of_step(c, response, size)});
}

}  // namespace featherline::algorithms
