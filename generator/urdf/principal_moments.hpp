#pragma once

#include <Eigen/Core>

namespace featherline::urdf {

/// Principal moments, smallest first; what is rounding beside the largest entry counts as zero.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia);

/// Moment of inertia of a solid ball of the densest material, about its centre [kg m^2]. A ball is the most compact body,
/// so nothing of that mass has a smaller largest moment.
double moment_of_densest_ball(double mass);

}  // namespace featherline::urdf
