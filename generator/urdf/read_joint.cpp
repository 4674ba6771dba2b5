#include "urdf/number.hpp"
#include "urdf/read_parts.hpp"

#include <cmath>
#include <limits>

namespace featherline::urdf {
namespace {

/// Nothing where the type is missing or unknown; the axis is then looked at all the same.
std::optional<JointType> read_type(const XMLElement& element, ElementReader& reader) {
  const auto text = reader.name(element, "type");
  if (!text) return std::nullopt;
  const model::JointRow* row = model::find_joint_type(*text);
  if (row != nullptr && row->native) return row->type;
  const std::string problem = "unknown joint type " + quoted(*text);
  if (row != nullptr && !row->needs_extension_numbers()) {
    reader.warning(
        element, describe(element) + " is " + *text + ", which URDF lacks",
        "expect other tools to refuse it, or write type=\"continuous\" and add <featherline_joint type=\"" +
            *text + "\"/> inside the joint");
    return row->type;
  }
  if (row != nullptr) {
    reader.error(element, problem,
                 "URDF lacks it: write type=\"continuous\" and add <featherline_joint type=\"" + *text +
                     "\"/> inside the joint");
  } else {
    reader.error(element, problem, "use " + model::joint_type_names(true));
  }
  return std::nullopt;
}

/// The link a `<parent>` or `<child>` names.
std::string read_end(const XMLElement& joint, const char* role, int& line, ElementReader& reader) {
  const XMLElement* element = reader.only_child(joint, role);
  if (element == nullptr) {
    reader.error(joint, describe(joint) + " has no <" + role + '>',
                 "add <" + std::string(role) + " link=\"...\"/>");
    return {};
  }
  line = element->GetLineNum();
  return reader.name(*element, "link").value_or("");
}

void read_axis(const XMLElement& element, bool is_used, Joint& joint, ElementReader& reader) {
  const XMLElement* axis = reader.only_child(element, "axis");
  if (axis == nullptr) return;
  joint.axis_line = axis->GetLineNum();
  const auto xyz = reader.vector3(*axis, "xyz");
  if (axis->FindAttribute("xyz") == nullptr && is_used) {
    reader.error(*axis, describe(*axis) + " has no attribute \"xyz\"", "add it, e.g. xyz=\"0 0 1\"");
  }
  if (xyz && is_used) joint.axis = normalised(*xyz, describe(*axis), *axis, reader);
}

Limits read_limits(const XMLElement& element, ElementReader& reader) {
  Limits limits;
  limits.line = element.GetLineNum();
  // Limits enter no formula, and some files write the largest double for "none".
  constexpr double largest = std::numeric_limits<double>::max();
  limits.lower = reader.number(element, "lower", largest);
  limits.upper = reader.number(element, "upper", largest);
  limits.velocity = reader.number(element, "velocity", largest).value_or(0.0);
  limits.effort = reader.number(element, "effort", largest).value_or(0.0);
  return limits;
}

Mimic read_mimic(const XMLElement& element, ElementReader& reader) {
  Mimic mimic;
  mimic.line = element.GetLineNum();
  mimic.joint = reader.name(element, "joint").value_or("");
  mimic.multiplier = reader.number(element, "multiplier").value_or(1.0);
  mimic.offset = reader.number(element, "offset").value_or(0.0);
  return mimic;
}

Dynamics read_dynamics(const XMLElement& element, ElementReader& reader) {
  Dynamics dynamics;
  dynamics.line = element.GetLineNum();
  dynamics.damping = reader.number(element, "damping").value_or(0.0);
  dynamics.friction = reader.number(element, "friction").value_or(0.0);
  return dynamics;
}

}  // namespace

Eigen::Vector3d normalised(const Eigen::Vector3d& axis, const std::string& subject, const XMLElement& element,
                           ElementReader& reader) {
  // stableNorm: the entries may be as small or large as a double allows.
  const double length = axis.stableNorm();
  if (!(length > 0.0)) {
    reader.error(element, subject + " is zero", "write a unit vector such as 0 0 1");
    return Eigen::Vector3d::UnitX();
  }
  if (std::abs(length - 1.0) > 1e-6) {
    reader.warning(element, subject + " has length " + to_text(length, 6) + " and is scaled to 1",
                   "write a unit vector");
  }
  const Eigen::Vector3d scaled = axis / axis.cwiseAbs().maxCoeff();
  return length == 1.0 ? axis : Eigen::Vector3d(scaled / scaled.norm());
}

Joint read_joint(const XMLElement& element, ElementReader& reader) {
  Joint joint;
  joint.line = element.GetLineNum();
  joint.name = reader.name(element, "name").value_or("");
  const auto type = read_type(element, reader);
  joint.type = type.value_or(JointType::fixed);
  read_joint_extension(element, joint, reader);
  joint.parent = read_end(element, "parent", joint.parent_line, reader);
  joint.child = read_end(element, "child", joint.child_line, reader);
  joint.origin = read_origin(element, reader);
  read_axis(element, !type || model::row_of(joint.type).needs(model::Direction::axis), joint, reader);
  if (const XMLElement* limit = reader.only_child(element, "limit"))
    joint.limits = read_limits(*limit, reader);
  if (const XMLElement* mimic = reader.only_child(element, "mimic")) joint.mimic = read_mimic(*mimic, reader);
  if (const XMLElement* dynamics = reader.only_child(element, "dynamics")) {
    joint.dynamics = read_dynamics(*dynamics, reader);
  }
  return joint;
}

}  // namespace featherline::urdf
