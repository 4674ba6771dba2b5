#pragma once

// Included after <pinocchio/codegen/cppadcg.hpp> where that is used: it extends Eigen's classes.
#include <Eigen/Core>
#include <pinocchio/config.hpp>
#if PINOCCHIO_VERSION_AT_LEAST(4, 0, 0)
#include <pinocchio/multibody.hpp>
#else
#include <pinocchio/multibody/model.hpp>
#endif
#include <string>
#include <vector>

#include "model/tree.hpp"

namespace featherline::bench {

/// What keeps Pinocchio from representing this tree; empty if nothing does.
std::string unsupported_by_pinocchio(const model::Tree& tree);

/// The tree as Pinocchio's model: joint i + 1 is our body i, velocities have our order.
pinocchio::Model build_pinocchio_model(const model::Tree& tree);

/// Positions as Pinocchio takes them: continuous and planar joints have the cosine and the sine of their angle.
Eigen::VectorXd pinocchio_positions(const model::Tree& tree, const std::vector<double>& q);

}  // namespace featherline::bench
