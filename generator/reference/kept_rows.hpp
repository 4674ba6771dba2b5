#pragma once

#include "model/tree.hpp"

#include <Eigen/Core>

#include <vector>

namespace featherline::reference {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// The rows of active constraints that do not depend on rows before them, by the rule of model/constraints.hpp.
std::vector<int> kept_rows(const model::Tree& tree, const LongMatrix& M, const LongMatrix& J,
                           const Eigen::VectorXd& active);

}  // namespace featherline::reference
