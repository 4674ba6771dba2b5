#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <limits>

namespace featherline::test {

/// max |x - reference| / max(1, max |reference|); infinite where the shapes differ or x is not finite, so that a
/// NaN can never pass a `<=`.
template <class A, class B>
double relative_error(const Eigen::MatrixBase<A>& x, const Eigen::MatrixBase<B>& reference) {
  if (x.rows() != reference.rows() || x.cols() != reference.cols())
    return std::numeric_limits<double>::infinity();
  if (!x.allFinite() || !reference.allFinite()) return std::numeric_limits<double>::infinity();
  if (x.size() == 0) return 0.0;
  const double scale = std::max(1.0, static_cast<double>(reference.cwiseAbs().maxCoeff()));
  return static_cast<double>((x - reference).cwiseAbs().maxCoeff()) / scale;
}

}  // namespace featherline::test
