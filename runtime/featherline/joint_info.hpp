// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <limits>

namespace featherline {

enum class JointType {
  revolute,     ///< one angle
  continuous,   ///< one angle without limits
  prismatic,    ///< one length
  floating,     ///< q = [x y z qx qy qz qw], v = [linear; angular] in the child's axes
  planar,       ///< q = [x y theta], v = [vx vy omega] in the child's axes
  spherical,    ///< q = [qx qy qz qw], v = angular velocity in the child's axes
  cylindrical,  ///< an angle and a length about and along one axis
  helical,      ///< one angle that also moves along the axis
  universal,    ///< two angles about two axes
  fixed,        ///< no coordinate; no JointInfo has this type, because fixed joints are merged
};

/// As URDF and the extension element call it.
constexpr const char* joint_type_name(JointType type) {
  constexpr const char* names[] = {"revolute",  "continuous",  "prismatic", "floating",  "planar",
                                   "spherical", "cylindrical", "helical",   "universal", "fixed"};
  static_assert(static_cast<int>(sizeof(names) / sizeof(names[0])) == static_cast<int>(JointType::fixed) + 1,
                "every type has a name, and fixed is the last one");
  return names[static_cast<int>(type)];
}

/// A joint, for users of emitted code. Its coordinates are q[idx_q] ... q[idx_q + nq - 1], its velocities are
/// v[idx_v] ... v[idx_v + nv - 1]. The limits are those of the file, in SI units and radians. They are plus or minus
/// infinity if it gives none. Emitted code does not enforce them.
struct JointInfo {
  JointType type;
  int idx_q, nq;
  int idx_v, nv;
  double lower, upper;                                            ///< [rad] or [m]
  double velocity;                                                ///< [rad/s] or [m/s]
  double effort;                                                  ///< [N m] or [N]
  double acceleration = std::numeric_limits<double>::infinity();  ///< [rad/s^2] or [m/s^2]
  double deceleration = std::numeric_limits<double>::infinity();  ///< [rad/s^2] or [m/s^2]
  double jerk = std::numeric_limits<double>::infinity();          ///< [rad/s^3] or [m/s^3]
};

}  // namespace featherline
