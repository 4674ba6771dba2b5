#include "algorithms/constraints/delassus_lanes.hpp"
#include "algorithms/steps/contact_points.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>
#include <cmath>

/// v' = v + dt a + M^-1 J^T impulse, q' = q (+) dt v', with M as damping and springs at the new state make it
/// (steps.hpp). The impulses are those of featherline/contact_step.hpp.
namespace featherline::algorithms {

bool has_contact_points_alone(const model::Tree& tree) {
  const auto may_open = [](const auto& c) { return model::may_open(c.type); };
  return tree.constraints.count() > 0 && std::ranges::all_of(tree.constraints.all, may_open);
}

void call_solver(Context& c) {
  const bool is_warm = c.has_input(contact_start);
  using ir::Routine;
  const auto joints = static_cast<int>(c.full_tree().constraints.joints.size());
  std::vector<std::string> arguments = {"D", "speeds", "contact"};
  if (joints > 0) arguments.emplace_back("bounds");
  if (is_warm) arguments.emplace_back(contact_start);
  arguments.emplace_back("impulse");
  if (joints > 0) arguments.emplace_back("pushes");
  arguments.emplace_back("status");
  const Routine routines[2][2] = {
      {Routine::contact_impulses, Routine::contact_impulses_from},
      {Routine::contact_and_joint_impulses, Routine::contact_and_joint_impulses_from}};
  c.call({.routine = routines[joints > 0 ? 1 : 0][is_warm ? 1 : 0],
          .arguments = c.arrays(arguments),
          .num_points = c.full_tree().constraints.count(),
          .num_joints = joints});
}

Coordinates entries_of(ir::Kernel& kernel, int input, const std::vector<std::vector<int>>& places) {
  return each(places, [&](const std::vector<int>& p) {
    return p.size() == 1 ? kernel.input(input, p.front()) : kernel.gather(input, p);
  });
}

void end_step(Context& c, int solver_size, const ChangeOfVelocity& change) {
  const model::Tree& tree = c.full_tree();
  const std::vector<model::ContactJoint>& joints = tree.constraints.joints;
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "end";
  kernel->inputs = {{"solver", solver_size},
                    {"q", tree.nq},
                    {"free", tree.nv + 1},
                    {"impulse", tree.constraints.num_rows()}};
  kernel->outputs = {{"q_next", tree.nq}, {"v_next", tree.nv}};
  if (!joints.empty()) {
    kernel->inputs.push_back({"pushes", static_cast<int>(joints.size())});
    kernel->outputs.push_back({"joint_impulse", tree.nv});
  }
  Context end = c.in_kernel(*kernel);
  end.begin_section("velocities after the impulses");
  const Coordinates v = end.keep(entries_of(*kernel, 2, end.folding().velocities) + change(end, *kernel));
  const Coordinates q = entries_of(*kernel, 1, end.folding().positions);
  end.output_positions("q_next", position_after(end, q, scaled(kernel->input(2, tree.nv), v)));
  end.output("v_next", v);
  Coordinates pushes = end.zeros();
  for (std::size_t j = 0; j < joints.size(); ++j)
    pushes[index(joints[j].idx_v)] = kernel->input(4, static_cast<int>(j));
  if (!joints.empty()) end.output("joint_impulse", pushes);
  std::vector<std::string> arguments = each(kernel->inputs, &ir::Buffer::name);
  for (const ir::Buffer& output : kernel->outputs) arguments.push_back(output.name);
  c.call({.arguments = c.arrays(arguments),
          .first = std::vector<int>(arguments.size(), 0),
          .body = std::move(kernel)});
}

namespace {

/// The body of the joint with a coordinate of its own.
int body_with(const Context& c, int idx_v) {
  int i = 0;
  while (c.joint(i).idx_v != idx_v || c.joint(i).mimics >= 0) ++i;
  return i;
}

/// Joints among the contacts: their rows of J, and the array that the solver reads of them.
void add_joints(Context& c, const Coordinates& free, std::vector<Coordinates>& J) {
  constexpr double endless = 1e30;
  Coordinates of_joints;
  for (const model::ContactJoint& joint : c.full_tree().constraints.joints) {
    Coordinates row = c.zeros();
    row[index(joint.idx_v)] = Scalar(1.0);
    J.push_back(std::move(row));
    const Scalar& q = c.input("q")[index(joint.idx_q)];
    const bool has_friction = joint.friction > 0.0;
    of_joints.push_back(free[index(joint.idx_v)]);
    of_joints.push_back(std::isfinite(joint.lower) ? Scalar(joint.lower) - q : Scalar(-endless));
    of_joints.push_back(std::isfinite(joint.upper) ? Scalar(joint.upper) - q : Scalar(endless));
    of_joints.push_back(has_friction ? c.number(body_with(c, joint.idx_v), &model::Joint::friction)
                                     : Scalar(0.0));
  }
  if (of_joints.empty()) return;
  c.local("bounds", of_joints);
  c.scratch("pushes", static_cast<int>(of_joints.size() / 4));
}

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

SolvedContacts solve_contacts(Context& c) {
  const Coordinates& v = c.input("v");
  SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  c.begin_section("velocities without impulses");
  Coordinates free = c.keep(plus(v, c.dt(), factor.solve(net_torque(c, v, c.input("tau")))));
  const auto motions = constraint_motions(c, {}, RowAxes::of_world);
  const LinkRows links(c, motions);
  std::vector<Coordinates> J = links.J;
  add_joints(c, free, J);
  const ImpulseResponse response{factor, links, halves(c, factor, J)};
  c.local("D", delassus_matrix(c, factor, links, response.Y).column_major());
  Coordinates speeds = links.speeds(free);
  const Coordinates before = links.speeds(v);
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
  end_step(c, solved.solver_size, [&](Context& end, ir::Kernel& kernel) {
    const model::Tree& tree = end.full_tree();
    const auto all_of = [&](int input, int size) {
      Coordinates list;
      for (int k = 0; k < size; ++k) list.push_back(kernel.input(input, k));
      return list;
    };
    Coordinates impulses = all_of(3, tree.constraints.num_rows());
    const Coordinates pushes = all_of(4, static_cast<int>(tree.constraints.joints.size()));
    impulses.insert(impulses.end(), pushes.begin(), pushes.end());
    return solver_of_numbers(solved.response, kernel).change(impulses);
  });
}

// contact_step in limb lanes: limbs meet in the trunk before the solver and behind it.

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
