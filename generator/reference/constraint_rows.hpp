#pragma once

#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <Eigen/Core>

#include <vector>

namespace featherline::reference {

/// J of all constraints, active or not: J v is the velocity that their rows hold (model/constraints.hpp).
Eigen::MatrixXd constraint_jacobian(const model::Tree& tree, const Eigen::VectorXd& q);

/// For each row, whether it depends on rows before it when all constraints are active.
std::vector<bool> dependent_rows(const model::Tree& tree, const State& state);

}  // namespace featherline::reference
