#pragma once

#include <Eigen/Core>

namespace featherline::test {

/// The error that the README promises, infinite where the shapes differ.
double relative_error(const Eigen::MatrixXd& x, const Eigen::MatrixXd& reference);

}  // namespace featherline::test
