#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"

/// Derivatives with respect to the chosen parameters. Those of one torque are one sweep back from it: through the axis
/// of its joint, carried to the bodies, to the columns that the regressor has for these.
namespace featherline::algorithms {

std::vector<Coordinates> torque_rates(Context& c, const Coordinates& a) {
  const Coordinates tau = inverse_dynamics(c, c.input("v"), a), &p = c.input(parameters);
  std::vector<Coordinates> rates(p.size(), c.zeros());
  for (std::size_t row = 0; row < tau.size(); ++row) {
    const Coordinates of_row = Gradient(c, {tau[row]}, {Scalar(1.0)}, a).by(p);
    for (std::size_t k = 0; k < p.size(); ++k) rates[k][row] = of_row[k];
  }
  return rates;
}

namespace {

void write(Context& c, const std::string& output, const std::vector<Coordinates>& columns) {
  std::vector<StoredEntry> entries;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t row = 0; row < columns[k].size(); ++row) {
      if (!columns[k][row].is_zero())
        entries.push_back({{static_cast<int>(row + columns[k].size() * k)}, columns[k][row]});
    }
  }
  c.output(output, entries);
}

}  // namespace

void rnea_parameter_derivatives(Context& c) { write(c, "dtau_dp", torque_rates(c, c.input("a"))); }

void aba_parameter_derivatives(Context& c) {
  const Solve solve = factor_solver(c);
  const Coordinates a = c.keep(solve(net_torque(c, c.input("v"), c.input("tau"))));
  std::vector<Coordinates> rates = torque_rates(c, a);
  for (Coordinates& column : rates) column = c.keep(-solve(column));
  write(c, "da_dp", rates);
}

}  // namespace featherline::algorithms
