#pragma once

#include "reference/solver.hpp"

#include <Eigen/Core>

#include <complex>

namespace featherline::test {

/// q (+) i step dv: where complex step through emitted or traced code starts.
inline Eigen::VectorXcd complex_step(const model::Tree& tree, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dv, double step) {
  using Number = reference::HyperDual<double>;
  const auto moved = reference::integrate<Number>(tree, q.cast<Number>(), dv.cast<Number>() * Number::e1());
  const std::complex<double> i_step(0.0, step);
  return part(moved, &Number::re).cast<std::complex<double>>() +
         i_step * part(moved, &Number::d1).cast<std::complex<double>>();
}

}  // namespace featherline::test
