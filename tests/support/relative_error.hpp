#pragma once

#include "reference/error.hpp"

#include <Eigen/Core>

#include <limits>

namespace featherline::test {

/// The error that the README promises, infinite where the shapes differ.
template <class A, class B>
double relative_error(const Eigen::MatrixBase<A>& x, const Eigen::MatrixBase<B>& reference) {
  if (x.rows() != reference.rows() || x.cols() != reference.cols())
    return std::numeric_limits<double>::infinity();
  const auto found = x.eval(), expected = reference.eval();
  return reference::array_error(found.reshaped(), expected.reshaped()).relative;
}

}  // namespace featherline::test
