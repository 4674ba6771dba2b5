#pragma once

#include "model/joint_dynamics.hpp"
#include "model/tree.hpp"
#include "reference/dual.hpp"

#include <cmath>

/// What a drive adds to the coordinates of its joint:
///   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2)
/// for each coordinate of the joints that turn about or slide along axes, with the joint's own rate (multiplier v for
/// a coupled mimic). Friction is Coulomb's, smoothed so that it has derivatives; epsilon is model::friction_smoothing.
namespace featherline::reference {

inline bool has_drive(const model::Joint& joint) {
  return joint.row().moves_on_axes() &&
         (joint.armature != 0.0 || joint.damping != 0.0 || joint.friction != 0.0);
}

/// Armature felt by the public coordinate.
inline double felt_armature(const model::Joint& joint) {
  return has_drive(joint) ? joint.armature * joint.multiplier * joint.multiplier : 0.0;
}

/// Torque against the public rate v.
template <class T>
T friction_torque(const model::Joint& joint, const T& v) {
  using std::sqrt;
  const T rate = v * T(joint.multiplier);
  const T speed = sqrt(rate * rate + T(model::friction_smoothing * model::friction_smoothing));
  return T(joint.multiplier) * (T(joint.damping) * rate + T(joint.friction) * rate / speed);
}

}  // namespace featherline::reference
