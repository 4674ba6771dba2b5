#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/least_norm.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"

/// The derivatives along a direction follow from those of a pseudo-inverse (Golub and Pereyra 1973): with y = B^+T x and
/// the residual r,
///
///     dx = dB^T y + B^+ (db - dB x - B dB^T y + B^+T dB^T r).
///
/// Inactive constraints have zeros in B, and dependent rows stay dependent: the rank is held.
namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Matrix = SquareMatrix;

/// tau - J^T lambda.
Values less_forces(Values tau, const std::vector<Values>& J, const Values& lambda) {
  for (std::size_t r = 0; r < J.size(); ++r) add_multiple(tau, -lambda[r], J[r]);
  return tau;
}

/// The constraints at a state whose inverse dynamics is known.
struct HeldState {
  HeldState(Context& c, const Values& tau)
      : motions(constraint_motions(c, {})),
        J(constraint_jacobian(c, motions)),
        forces(c, J),
        world(c, motions) {
    c.begin_section("constraint forces");
    const Values b = forces.without_motor(tau);
    x = forces.solve(b);
    residual = forces.out_of_reach(b);
    lambda = c.keep(forces.by_row(x));
  }

  std::vector<ConstraintMotion> motions;
  std::vector<Values> J;
  LeastNormForces forces;
  WorldRows world;
  Values x, residual, lambda;  ///< lambda in the axes of the rows
};

/// B^+, by column: derivatives have three times as many columns as there are coordinates.
std::vector<Values> pseudo_inverse(Context& c, const LeastNormForces& forces) {
  c.begin_section("pseudo-inverse of the columns of J without motors");
  const std::size_t n = c.full_tree().constraints.without_motor.size();
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

Values product_of_transpose(const std::vector<Values>& columns, const Values& x) {
  Values y;
  for (const Values& column : columns) y.push_back(dot(column, x));
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

/// Writes dtau and dlambda by one input, column by column.
class RatesByInput {
 public:
  RatesByInput(Context& c, const HeldState& held, std::string by) : c_(c), held_(held), by_(std::move(by)) {
    c_.begin_section("derivatives by " + by_);
  }

  /// `dtau`: that of inverse dynamics, and of J^T lambda at constant lambda.
  void add(const Values& dtau, Values dx, const Values& turned = {}) {
    const Values dlambda = held_.forces.by_row(std::move(dx));
    const Values column = c_.keep(less_forces(dtau, held_.J, dlambda));
    tau_.insert(tau_.end(), column.begin(), column.end());
    Values rows = held_.world(dlambda);
    for (std::size_t r = 0; r < turned.size(); ++r) rows[r] += turned[r];
    c_.keep(rows);
    lambda_.insert(lambda_.end(), rows.begin(), rows.end());
  }
  void write() {
    c_.output("dtau_d" + by_, tau_, matrix);
    c_.output_columns("dlambda_d" + by_, c_.full_tree().constraints.num_rows(), lambda_);
  }

 private:
  Context& c_;
  const HeldState& held_;
  std::string by_;
  Values tau_, lambda_;
};

void write_by_q(Context& c, const HeldState& held, const std::vector<Values>& inverse,
                const Matrix& dtau_dq) {
  const LeastNormForces& forces = held.forces;
  const std::vector<Values> of_forces = rates_of_rows(c, forces, product_of_transpose(inverse, held.x)),
                            of_residual = rates_of_rows(c, forces, held.residual);
  const Matrix rates = rates_of_forces(held, c.nv());
  RatesByInput rates_by(c, held, "q");
  for (int k = 0; k < c.nv(); ++k) {
    const Values dtau = dtau_dq.column(k) - rates.column(k);
    const Values &shift = of_forces[index(k)], right = forces.without_motor(dtau) - forces.B(shift) +
                                                       product_of_transpose(inverse, of_residual[index(k)]);
    const Values dx = shift + product(inverse, right, shift.size());
    rates_by.add(dtau, dx, turned_rows(c, held.world, k, held.lambda));
  }
  rates_by.write();
}

void write_by(Context& c, const HeldState& held, const std::vector<Values>& inverse, const char* by,
              const Matrix& dtau) {
  RatesByInput rates_by(c, held, by);
  for (int k = 0; k < c.nv(); ++k) {
    const Values column = dtau.column(k);
    rates_by.add(column, product(inverse, held.forces.without_motor(column), held.J.size()));
  }
  rates_by.write();
}

/// tau, and lambda in axes of the world.
std::pair<Values, Values> motor_torques(Context& c) {
  const Values tau = inverse_dynamics(c, c.input("v"), c.input("a"));
  const HeldState held(c, tau);
  return {c.keep(less_forces(tau, held.J, held.lambda)), c.keep(held.world(held.lambda))};
}

}  // namespace

void constrained_inverse_dynamics(Context& c) {
  const auto [tau, lambda] = motor_torques(c);
  c.output("tau", tau);
  c.output_vector("lambda", lambda);
}

void constrained_inverse_derivatives(Context& c) {
  if (c.has_clusters()) {
    const auto [tau, lambda] = motor_torques(c);
    return output_derivatives(c, {{"tau", tau}, {"lambda", lambda}}, {"q", "v", "a"});
  }
  const FirstDerivatives id = first_derivatives(c, c.input("v"), c.input("a"), chosen_frames(c.tree()));
  const HeldState held(c, id.tau);
  const std::vector<Values> inverse = pseudo_inverse(c, held.forces);
  write_by_q(c, held, inverse, id.dtau_dq);
  write_by(c, held, inverse, "v", id.dtau_dv);
  write_by(c, held, inverse, "a", id.M);
}

}  // namespace featherline::algorithms
