#pragma once

#include "urdf/description.hpp"

#include <Eigen/Core>

#include <vector>

namespace featherline::urdf {

/// Links that fixed joints weld to one another, seen as one body: only its inertia moves the robot, so a link
/// whose own inertia is impossible may still be part of a possible body.
struct RigidGroup {
  std::vector<int> links;                             ///< the one nearest to the root first
  double mass = 0.0;                                  ///< [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the common centre of mass, first link's axes
  double rounding = 0.0;                              ///< entries of `inertia` this small may be rounding
};

/// Every link is in exactly one group. The description must be a sound tree (check_structure).
std::vector<RigidGroup> rigid_groups(const Description& description);

/// Principal moments, smallest first; what is rounding beside the largest entry counts as zero.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia);

}  // namespace featherline::urdf
