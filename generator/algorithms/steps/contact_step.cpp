#include "algorithms/steps/contact_points.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>

/// v' = v + dt a + M^-1 J^T impulse, q' = q (+) dt v', with M as damping and springs at the new state make it (steps.hpp).
/// The impulses are those of featherline/contact_step.hpp.
namespace featherline::algorithms {
namespace {

/// The function behind the solver: (solver, q, free, impulse) to (q_next, v_next); `free` ends with dt.
std::shared_ptr<const ir::Kernel> end_of_step(const Context& c, const SolvedContacts& solved) {
  const int nv = c.nv(), nq = c.tree().nq, rows = solved.response.num_rows();
  auto kernel = std::make_shared<ir::Kernel>(
      trace(c.full_tree(), {{"solver", solved.solver_size}, {"q", nq}, {"free", nv + 1}, {"impulse", rows}},
            {{"q_next", nq}, {"v_next", nv}}, [](Context&) {}));
  Context end(c.full_tree(), *kernel);
  Coordinates v = end.input("free");
  const Scalar dt = v.back();
  v.pop_back();
  end.begin_section("velocities after the impulses");
  v = end.keep(std::move(v) + solver_of_numbers(solved.response, *kernel).change(end.input("impulse")));
  end.output_positions("q_next", position_after(end, end.input("q"), scaled(dt, v)));
  end.output("v_next", v);
  kernel->name = "end";
  return kernel;
}

}  // namespace

bool has_contact_points_alone(const model::Tree& tree) {
  const auto may_open = [](const auto& c) { return model::may_open(c.type); };
  return tree.constraints.count() > 0 && std::ranges::all_of(tree.constraints.all, may_open);
}

void call_solver(Context& c) {
  const bool is_warm = c.has_input(contact_start);
  std::vector<std::string> arguments = {"D", "speeds", "contact", "impulse", "status"};
  if (is_warm) arguments.insert(arguments.begin() + 3, contact_start);
  c.call({.routine = is_warm ? ir::Routine::contact_impulses_from : ir::Routine::contact_impulses,
          .arguments = c.arrays(arguments),
          .num_points = c.full_tree().constraints.count()});
}

void call_end_of_step(Context& c, std::shared_ptr<const ir::Kernel> end) {
  c.call({.arguments = c.arrays({"solver", "q", "free", "impulse", "q_next", "v_next"}),
          .first = std::vector<int>(6, 0),
          .body = std::move(end)});
}

SolvedContacts solve_contacts(Context& c) {
  const Coordinates& v = c.input("v");
  SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  c.begin_section("velocities without impulses");
  Coordinates free = c.keep(plus(v, c.dt(), factor.solve(net_torque(c, v, c.input("tau")))));
  const auto motions = constraint_motions(c, {}, RowAxes::of_world);
  const std::vector<Coordinates> J = constraint_jacobian(c, motions);
  const ImpulseResponse response{factor, halves(c, factor, J)};
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
  call_solver(c);
  return {response, size};
}

void contact_step(Context& c) {
  const SolvedContacts solved = solve_contacts(c);
  call_end_of_step(c, end_of_step(c, solved));
}

}  // namespace featherline::algorithms
