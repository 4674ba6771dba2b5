#include "model/joint_from_urdf.hpp"

#include "support/diagnostic.hpp"

#include <limits>

namespace featherline::model {
namespace {

Limits limits_of(const urdf::Joint& joint) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!joint.limits) return {-infinity, infinity, infinity, infinity};
  const urdf::Limits& limits = *joint.limits;
  if (row_of(joint.type).position_limits == PositionLimits::without_effect)
    return {-infinity, infinity, limits.velocity, limits.effort};
  return {limits.lower.value_or(-infinity), limits.upper.value_or(infinity), limits.velocity, limits.effort};
}

void set_type(Joint& joint, JointType type) {
  joint.type = type;
  joint.nq = joint.row().nq();
  joint.nv = joint.row().nv();
}

}  // namespace

Joint joint_from_urdf(const urdf::Joint& source) {
  Joint joint;
  joint.name = source.name;
  set_type(joint, source.type);
  if (joint.nv == 0) throw InternalError("a fixed joint has no coordinates");
  // What a file says without effect must not leak into the tree.
  if (joint.row().moves_on_axes()) joint.axis = source.axis;
  if (joint.row().needs(Direction::axis2)) joint.axis2 = source.axis2;
  if (joint.row().needs_pitch()) joint.pitch = source.pitch;
  joint.limits = limits_of(source);
  if (source.dynamics) {
    joint.damping = source.dynamics->damping;
    joint.friction = source.dynamics->friction;
  }
  joint.line = source.line;
  return joint;
}

Joint floating_base_joint(const std::string& name) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Joint joint;
  joint.name = name;
  set_type(joint, JointType::floating);
  joint.limits = {-infinity, infinity, infinity, infinity};
  return joint;
}

}  // namespace featherline::model
