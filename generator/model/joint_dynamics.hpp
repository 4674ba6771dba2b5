#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <string>

namespace featherline::model {

/// Coulomb friction is smoothed to friction v / sqrt(v^2 + friction_smoothing^2), so that it has derivatives.
/// [rad/s] or [m/s]: at ten times this speed it is 0.5 % short of Coulomb's.
inline constexpr double friction_smoothing = 1e-2;

/// Sets damping, Coulomb friction and armature of the tree's joints from a text of lines
///   JOINT DAMPING FRICTION ARMATURE
/// in N m s/rad, N m, kg m^2 (N s/m, N, kg for prismatic joints), all seen at the joint: a rotor's inertia times the
/// square of its gear ratio. JOINT `*` stands for every joint that turns about or slides along axes; later lines win. Blank lines
/// and what follows # do not count. Errors name `file` and line.
void set_joint_dynamics(UserTree& tree, const std::string& text, const std::string& file,
                        Diagnostics& findings);

}  // namespace featherline::model
