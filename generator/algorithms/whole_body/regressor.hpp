#pragma once

#include "algorithms/context.hpp"

/// tau = Y pi: inverse dynamics as a linear function of the inertial parameters of the bodies. Source: Atkeson, An,
/// Hollerbach, "Estimation of inertial parameters of manipulator loads and links", 1986. Columns are about the user's
/// frames.
///
/// Axes are carried outward, not wrenches inward: for each pair of a joint and a body behind it, the axis takes about
/// 20 flops to the body's frame and 59 flops to ten entries. Ten wrenches would take about 140 to the next frame.
namespace featherline::algorithms {

/// Output Y.
void regressor(Context& context);

/// Output Y: the columns of the tree's base parameters.
void base_regressor(Context& context);

/// Whether equal limbs have the same base parameters.
bool limbs_share_base_parameters(const model::Tree& tree);

}  // namespace featherline::algorithms
