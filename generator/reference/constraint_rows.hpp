#pragma once

#include "model/tree.hpp"

#include <Eigen/Core>

namespace featherline::reference {

/// J of all constraints, active or not: J v is the velocity that their rows hold (model/constraints.hpp).
Eigen::MatrixXd constraint_jacobian(const model::Tree& tree, const Eigen::VectorXd& q);

}  // namespace featherline::reference
