#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <string>

namespace featherline::model {

/// Coulomb friction is smoothed to friction v / sqrt(v^2 + friction_smoothing^2), so that it has derivatives. The
/// unit is rad/s or m/s. At ten times this speed the torque is 0.5 % less than Coulomb's.
inline constexpr double friction_smoothing = 1e-2;

/// Sets damping, Coulomb friction and armature of the tree's joints from a text of lines
///   JOINT DAMPING FRICTION ARMATURE [STIFFNESS REST]
/// in N m s/rad, N m, kg m^2, N m/rad, rad (N s/m, N, kg, N/m, m for prismatic joints). All values are at the joint:
/// ARMATURE is the inertia of the rotor times the square of the gear ratio. JOINT `*` means every joint that turns
/// about or slides along axes, and every ball, which gets no spring. A ball gets one from a line with its name, whose
/// REST is 0. A later line replaces earlier ones. Blank lines and comments after # are skipped.
/// Errors name `file` and line.
void set_joint_dynamics(UserTree& tree, const std::string& text, const std::string& file,
                        Diagnostics& findings);

}  // namespace featherline::model
