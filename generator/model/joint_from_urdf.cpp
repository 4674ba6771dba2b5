#include "model/joint_from_urdf.hpp"

#include "support/diagnostic.hpp"

#include <limits>

namespace featherline::model {
namespace {

using Urdf = urdf::JointType;

JointType moving_type(Urdf type) {
  switch (type) {
    case Urdf::revolute:
      return JointType::revolute;
    case Urdf::continuous:
      return JointType::continuous;
    case Urdf::prismatic:
      return JointType::prismatic;
    case Urdf::floating:
      return JointType::floating;
    case Urdf::planar:
      return JointType::planar;
    case Urdf::spherical:
      return JointType::spherical;
    case Urdf::cylindrical:
      return JointType::cylindrical;
    case Urdf::helical:
      return JointType::helical;
    case Urdf::universal:
      return JointType::universal;
    case Urdf::fixed:
      break;
  }
  throw InternalError("a fixed joint has no coordinates");
}

int num_coordinates(JointType type) {
  switch (type) {
    case JointType::floating:
      return 7;
    case JointType::spherical:
      return 4;
    case JointType::planar:
      return 3;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    default:
      return 1;
  }
}

/// The others keep +z, so that what a file says without effect cannot leak into the tree.
bool moves_about_axis(JointType type) {
  return type != JointType::floating && type != JointType::spherical && type != JointType::planar;
}

bool has_quaternion(JointType type) { return type == JointType::floating || type == JointType::spherical; }

Limits limits_of(const urdf::Joint& joint) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!joint.limits) return {-infinity, infinity, infinity, infinity};
  const urdf::Limits& limits = *joint.limits;
  if (joint.type == Urdf::continuous) return {-infinity, infinity, limits.velocity, limits.effort};
  return {limits.lower.value_or(-infinity), limits.upper.value_or(infinity), limits.velocity, limits.effort};
}

void set_type(Joint& joint, JointType type) {
  joint.type = type;
  joint.nq = num_coordinates(type);
  joint.nv = joint.nq - (has_quaternion(type) ? 1 : 0);
}

}  // namespace

Joint joint_from_urdf(const urdf::Joint& source) {
  Joint joint;
  joint.name = source.name;
  set_type(joint, moving_type(source.type));
  if (moves_about_axis(joint.type)) joint.axis = source.axis;
  if (joint.type == JointType::universal) joint.axis2 = source.axis2;
  if (joint.type == JointType::helical) joint.pitch = source.pitch;
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
