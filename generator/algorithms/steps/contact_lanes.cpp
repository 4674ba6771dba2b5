#include "algorithms/constraints/delassus_lanes.hpp"
#include "algorithms/steps/contact_points.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>

/// contact_step in limb lanes: limbs meet in the trunk before the solver and behind it.
namespace featherline::algorithms {
namespace {

/// M^-1 J^T.
struct ResponseInLimbs {
  LimbInverse inverse;
  LinkRows links;

  template <class F>
  void each_number(const F& f) {
    inverse.each_number(f);
    for (std::size_t r = 0; r < links.J.size(); ++r) {
      for (Scalar& x : links.J[r]) f(x, links.rows.lanes(r));
    }
    links.each_number(f);
  }
  /// `impulse` is by folded row.
  Coordinates change(const Context& c, const Coordinates& impulse) const {
    Coordinates b = c.zeros();
    add_forces(c, links.rows, links.J, links.of_links(impulse), b);
    return inverse.solve(b);
  }
};

}  // namespace

void contact_step_in_lanes(Context& c) {
  const Coordinates& v = c.input("v");
  const int m = c.full_tree().constraints.num_rows(), n = c.full_tree().nv;
  const LimbInverse inverse(c, joint_space_inertia(c));
  c.begin_section("velocities without impulses");
  const Coordinates free = c.keep(plus(v, c.dt(), inverse.solve(net_torque(c, v, c.input("tau")))));
  const auto motions = constraint_motions(c, {}, RowAxes::of_world);
  const LimbRows rows = limb_rows(c, motions);
  const ResponseInLimbs response{inverse, {c, motions}};
  c.local("D", m * m, DelassusInLimbs(c, inverse, response.links, rows).entries());
  std::vector<StoredEntry> speeds, velocities;
  const Coordinates without = response.links.speeds(free), before = response.links.speeds(v);
  for (std::size_t r = 0; r < before.size(); ++r) {
    const std::vector<int>& places = rows.places[r];
    speeds.push_back({places, without[r]});
    speeds.push_back({each(places, [&](int place) { return place + m; }), before[r]});
  }
  speeds.push_back({{2 * m}, c.dt()});
  c.local("speeds", 2 * m + 1, speeds);
  for (std::size_t k = 0; k < free.size(); ++k) velocities.push_back({c.folding().velocities[k], free[k]});
  velocities.push_back({{n}, c.dt()});
  c.local("free", n + 1, velocities);
  const std::vector<StoredEntry> numbers = solver_numbers(response);
  const int size = numbers.back().places.back() + 1;
  c.local("solver", size, numbers);
  call_solver(c);
  end_step(c, size, [&](Context& end, ir::Kernel& kernel) {
    ResponseInLimbs numbers_read = solver_of_numbers(response, kernel);
    numbers_read.inverse = numbers_read.inverse.in(end);
    return numbers_read.change(end, entries_of(kernel, 3, rows.places));
  });
}

bool limbs_have_contact_points(const model::Tree& tree) {
  if (!has_contact_points_alone(tree) || !tree.constraints.joints.empty() || !steps_fit_limbs(tree))
    return false;
  const auto folded = fold_constraints(tree, model::fold_bodies(tree));
  return folded &&
         std::ranges::all_of(*folded, [](const FoldedConstraint& point) { return point.group >= 0; });
}

}  // namespace featherline::algorithms
