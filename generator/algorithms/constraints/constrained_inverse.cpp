#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/least_norm.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/routines/routine_calls.hpp"

/// The derivatives along a direction follow from those of a pseudo-inverse (Golub and Pereyra 1973): with y = B^+T x
/// and the residual r,
///
///     dx = dB^T y + B^+ (db - dB x - B dB^T y + B^+T dB^T r).
///
/// Inactive constraints have zeros in B, and dependent rows stay dependent: the rank is held.
namespace featherline::algorithms {
namespace {

/// The constraints at a state whose inverse dynamics is known.
struct HeldState {
  HeldState(Context& c, const Values& tau)
      : motions(constraint_motions(c, {})),
        J(constraint_jacobian(c, motions)),
        world(c, motions),
        forces(c, motions, J) {
    c.begin_section("constraint forces");
    const Values b = forces.without_motor(tau);
    x = forces.solve(b);
    residual = forces.out_of_reach(b);
    lambda = c.keep(forces.by_row(x));
  }
  /// tau - J^T forces.
  Values less_forces(const Context& c, Values tau, const Values& of_rows) const {
    add_forces(c, forces.rows(), J, -of_rows, tau);
    return tau;
  }

  std::vector<ConstraintMotion> motions;
  std::vector<Values> J;
  WorldRows world;
  LeastNormForces forces;
  Values x, residual, lambda;  ///< lambda in the axes of the rows
};

/// B^+, by column: derivatives have three times as many columns as there are coordinates.
std::vector<Values> pseudo_inverse(Context& c, const LeastNormForces& forces) {
  c.begin_section("pseudo-inverse of the columns of J without motors");
  const std::size_t n = forces.count();
  std::vector<Values> columns;
  for (std::size_t k = 0; k < n; ++k) {
    Values unit(n);
    unit[k] = 1.0;
    columns.push_back(c.keep(forces.solve(unit)));
  }
  return columns;
}

Values product(const std::vector<Values>& columns, const Values& x, std::size_t rows) {
  Values y(rows);
  for (std::size_t k = 0; k < x.size(); ++k) add_multiple(y, x[k], columns[k]);
  return y;
}

/// d(J u)/dq, column by column, with the weights of rows: u is by coordinate without motor.
std::vector<Values> rates_of_rows(Context& c, const LeastNormForces& forces, const Values& u) {
  std::vector<Values> columns(index(c.nv()));
  for (const ConstraintMotion& motion : constraint_motions(c, {forces.by_coordinate(u), {}})) {
    for (const Values& row : motion.derivatives().velocity_by_q) {
      for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(row[k]);
    }
  }
  for (Values& column : columns) column = forces.by_row(column);
  return columns;
}

/// d (J^T lambda) / dq, lambda held.
Matrix rates_of_forces(const HeldState& held, int nv) {
  Matrix rates(nv);
  auto first = held.lambda.begin();
  for (const ConstraintMotion& motion : held.motions) {
    motion.add_force_derivative(Values(first, first + motion.num_rows()), rates);
    first += motion.num_rows();
  }
  return rates;
}

/// What all columns of the derivatives have in common, and what those by q have besides.
struct HeldRates {
  explicit HeldRates(Context& c)
      : id(first_derivatives(c, c.input("v"), c.input("a"), chosen_frames(c.tree()))),
        held(c, id.tau),
        inverse(pseudo_inverse(c, held.forces)) {
    subtract(id.dtau_dq.data(), rates_of_forces(held, c.nv()).column_major());
    const LeastNormForces& forces = held.forces;
    shift = rates_of_rows(c, forces, forces.products(inverse, held.x));
    const std::vector<Values> of_residual = rates_of_rows(c, forces, held.residual);
    for (int k = 0; k < c.nv(); ++k) {
      const bool of_limb = c.folding().group_of_velocity[index(k)] >= 0;  // another column in each lane
      const auto times = [&](const std::vector<Values>& rows, const Values& column) {
        if (!of_limb) return forces.products(rows, column);
        return each(rows, [&](const Values& row) { return dot(row, column); });
      };
      needed.push_back(times(inverse, of_residual[index(k)]) - times(forces.B(), shift[index(k)]));
    }
  }

  /// Rows of the column k by q, in axes of the world. These of a floating base turn with it.
  Values in_world(const Context& c, int k, const Values& rows) const {
    const Values turned = turned_rows(c, held.world, k, held.lambda);
    return turned.empty() ? held.world(rows) : held.world(rows) + turned;
  }

  FirstDerivatives id;  ///< of inverse dynamics; those by q less d (J^T lambda) / dq
  HeldState held;
  std::vector<Values> inverse;
  /// By column by q: dx = shift + inverse (T (db)_u + needed).
  std::vector<Values> shift, needed;
};

void write_by(Context& c, const HeldRates& rates, const std::string& by, const Matrix& dtau) {
  c.begin_section("derivatives by " + by);
  const HeldState& held = rates.held;
  Values tau, lambda;
  for (int k = 0; k < c.nv(); ++k) {
    const Values column = dtau.column(k);
    Values right = held.forces.without_motor(column), dx(held.J.size());
    if (by == "q") right = right + rates.needed[index(k)], dx = rates.shift[index(k)];
    Values rows = held.forces.by_row(dx + product(rates.inverse, right, held.J.size()));
    const Values left = c.keep(held.less_forces(c, column, rows));
    tau.insert(tau.end(), left.begin(), left.end());
    rows = c.keep(by == "q" ? rates.in_world(c, k, rows) : held.world(rows));
    lambda.insert(lambda.end(), rows.begin(), rows.end());
  }
  c.output("dtau_d" + by, tau, matrix);
  c.output_columns("dlambda_d" + by, c.full_tree().constraints.num_rows(), lambda);
}

/// Entries that are not zero, `value(row, column)` of places by lane.
template <class Value>
std::vector<StoredEntry> entries_of(const std::vector<std::vector<int>>& rows,
                                    const std::vector<std::vector<int>>& columns, int height,
                                    const Value& value) {
  std::vector<StoredEntry> entries;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Scalar x = value(r, k);
      if (!x.is_zero()) entries.push_back({matrix_places(rows[r], columns[k], height), x});
    }
  }
  return entries;
}

/// The arrays that all routines read: detail::HeldInputs, rows in axes of the world. What turns with the base is a part
/// of the shift; so b and r have what J^T makes of it.
void write_arrays(Context& c, const HeldRates& rates) {
  Matrix b = rates.id.dtau_dq;
  const HeldState& held = rates.held;
  const int n = c.full_tree().nv, m = c.full_tree().constraints.num_rows(),
            f = static_cast<int>(held.forces.count());
  std::vector<Values> J, shift, needed;
  for (int k = 0; k < c.nv(); ++k) {
    const Values column = each(held.J, [&](const Values&row) { return row[index(k)]; }),
                 turned = turned_rows(c, held.world, k, held.lambda);
    J.push_back(held.world(column));
    shift.push_back(rates.in_world(c, k, held.forces.by_row(rates.shift[index(k)])));
    needed.push_back(rates.needed[index(k)]);
    if (turned.empty()) continue;
    Values more = c.zeros();
    add_forces(c, held.forces.rows(), held.J, held.world.back(turned), more);
    b.set_column(k, b.column(k) + more);
    needed.back() = needed.back() - held.forces.without_motor(more);
  }
  const auto &rows = held.forces.rows().places, &coordinates = c.folding().velocities;
  std::vector<std::vector<int>> free;
  for (int u = 0; u < f; ++u) free.push_back({u});
  const std::vector<Values> columns =
      each(rates.inverse, [&](const Values& column) { return held.world(held.forces.by_row(column)); });
  const Values& scales = held.forces.scales();
  c.local("by_q", b.column_major(), matrix);
  c.local("rows", m * n,
          entries_of(coordinates, rows, n, [&](std::size_t k, std::size_t r) { return J[k][r]; }));
  c.local("forces", m * f, entries_of(rows, free, m, [&](std::size_t r, std::size_t u) {
            return -(columns[u][r] * scales[u]);
          }));
  c.local("needed", f * n, entries_of(free, coordinates, f, [&](std::size_t u, std::size_t k) {
            return needed[k][u] * (Scalar(1.0) / scales[u]);
          }));
  c.local("shift", m * n,
          entries_of(rows, coordinates, m, [&](std::size_t r, std::size_t k) { return shift[k][r]; }));
}

void call_columns(Context& c) {
  std::vector<std::string> arguments{"rows", "forces", "needed", "shift", "by_q", "by_v", "by_a"};
  for (const std::string& output : c.output_names()) arguments.push_back(output);
  const model::Constraints& constraints = c.full_tree().constraints;
  c.call({.routine = ir::Routine::held_columns,
          .arguments = c.arrays(arguments),
          .axes = std::make_shared<ir::AxisTable>(axis_table(c.full_tree())),
          .num_points = constraints.num_rows(),
          .coordinates = constraints.without_motor});
}

/// tau, and lambda as entries.
std::pair<Values, std::vector<StoredEntry>> motor_torques(Context& c) {
  const Values tau = inverse_dynamics(c, c.input("v"), c.input("a"));
  const HeldState held(c, tau);
  const Values left = c.keep(held.less_forces(c, tau, held.lambda));
  return {left, row_entries(c, held.motions, held.lambda)};
}

}  // namespace

bool trunk_lacks_motors(const model::Tree& tree) {
  const model::Folding folding = model::fold_bodies(tree);
  const auto folded = fold_constraints(tree, folding);
  const auto is_of_trunk = [&](int k) { return folding.velocity_alone(k) >= 0; };
  return folding.has_lanes() && folded && lacks_motors(tree) &&
         std::ranges::all_of(tree.constraints.without_motor, is_of_trunk);
}

bool lacks_motors(const model::Tree& tree) {
  return !tree.clusters && tree.constraints.num_rows() > 0 && !tree.constraints.without_motor.empty();
}

void constrained_inverse_dynamics(Context& c) {
  const auto [tau, lambda] = motor_torques(c);
  c.output("tau", tau);
  c.output("lambda", lambda);
}

void constrained_inverse_derivatives(Context& c) {
  if (c.has_clusters()) {
    const auto [tau, lambda] = motor_torques(c);
    const Values rows = each(lambda, [](const StoredEntry& entry) { return entry.value; });
    return output_derivatives(c, {{"tau", tau}, {"lambda", rows}}, {"q", "v", "a"});
  }
  const HeldRates rates(c);
  write_by(c, rates, "q", rates.id.dtau_dq);
  write_by(c, rates, "v", rates.id.dtau_dv);
  write_by(c, rates, "a", rates.id.M);
}

void constrained_inverse_derivatives_by_rows(Context& c) {
  const HeldRates rates(c);
  write_arrays(c, rates);
  c.local("by_v", rates.id.dtau_dv.column_major(), matrix);
  c.local("by_a", rates.id.M.column_major(), matrix);
  call_columns(c);
}

}  // namespace featherline::algorithms
