#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/joint_types.hpp"
#include "urdf/number.hpp"

#include <Eigen/Geometry>

namespace featherline::urdf {
namespace {

void check_limits(const Description& description, const Joint& joint, Diagnostics& diagnostics) {
  const bool bounded = joint.type == JointType::revolute || joint.type == JointType::prismatic;
  const std::string subject = "joint " + quoted(joint.name);
  if (!joint.limits) {
    if (!bounded) return;
    diagnostics.warning(at(description, joint, joint.line),
                        std::string(name_of(joint.type)) + ' ' + subject + " has no <limit>",
                        "add <limit lower=... upper=... velocity=... effort=.../>; it counts as unlimited");
    return;
  }
  const Limits& limits = *joint.limits;
  const Location where = at(description, joint, limits.line, "/limit");
  if (bounded && !(limits.lower && limits.upper)) {
    diagnostics.warning(where, "<limit> of " + subject + " lacks " + (limits.lower ? "upper" : "lower"),
                        "add it; that side counts as unlimited");
  }
  if (limits.lower && limits.upper && *limits.lower > *limits.upper) {
    diagnostics.error(where, "lower limit " + to_text(*limits.lower) + " of " + subject + " is above the upper limit " +
                                 to_text(*limits.upper), "exchange or correct them");
  }
}

void check_axes(const Description& description, const Joint& joint, Diagnostics& diagnostics) {
  const std::string subject = "joint " + quoted(joint.name);
  if (uses_axis(joint.type) && joint.axis_line == 0) {
    diagnostics.warning(at(description, joint, joint.line), subject + " has no <axis> and gets 1 0 0",
                        "write the axis");
  }
  if (joint.type == JointType::universal && joint.axis.cross(joint.axis2).norm() < 1e-6) {
    diagnostics.error(at(description, joint, joint.line, "/featherline_joint"),
                      "the two axes of universal " + subject + " are parallel", "choose two different axes");
  }
}

}  // namespace

void check_joints(const Description& description, Diagnostics& diagnostics) {
  for (const Joint& joint : description.joints) {
    check_limits(description, joint, diagnostics);
    check_axes(description, joint, diagnostics);
  }
}

}  // namespace featherline::urdf
