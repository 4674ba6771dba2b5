#include "formats/urdf/urdf.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace featherline::urdf {
namespace {

// URDF lacks some joint types. An element <featherline_joint> inside an ordinary joint adds them: README.md.

void read_pitch(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const auto pitch = reader.required_number(element, "pitch");
  if (!pitch) return;
  joint.pitch = *pitch;
  if (*pitch == 0.0) {
    reader.warning("zero-pitch", element, describe(element) + " has pitch 0: it turns without advancing",
                   "use type=\"revolute\"");
  }
}

void read_second_axis(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const std::string remedy =
      std::string("add the second axis of the ") + model::name(joint.type) + " joint, in the joint frame";
  if (!reader.has(element, "axis2", remedy)) return;
  if (const auto axis = reader.numbers<3>(element, "axis2"))
    joint.axis2 = normalised(*axis, "axis2 of " + describe(element), element, reader);
}

/// The type of a `<featherline_joint>` child replaces the type that ordinary tools see.
void read_joint_extension(const XMLElement& element, Joint& joint, ElementReader& reader) {
  const XMLElement* extension = reader.only_child(element, "featherline_joint");
  if (extension == nullptr) return;
  joint.extension_line = extension->GetLineNum();
  const auto text = reader.name(*extension, "type");
  if (!text) return;
  const model::JointRow* row = model::find_joint_type(*text);
  if (row == nullptr || row->native) {
    const bool native = row != nullptr;
    reader.error(*extension,
                 "joint type " + in_quotes(*text) + (native ? " needs no extension" : " is unknown"),
                 native ? "write it as the joint's own type and remove <featherline_joint>"
                        : "use " + model::joint_type_names(false));
    return;
  }
  joint.type = row->type;
  if (row->needs_pitch()) read_pitch(*extension, joint, reader);
  if (row->needs(model::Direction::axis2)) read_second_axis(*extension, joint, reader);
}

/// Nothing if the type is missing or unknown. The axis is checked even then.
std::optional<JointType> read_type(const XMLElement& element, ElementReader& reader) {
  const auto text = reader.name(element, "type");
  if (!text) return std::nullopt;
  const model::JointRow* row = model::find_joint_type(*text);
  if (row != nullptr && row->native) return row->type;
  const std::string problem = "unknown joint type " + in_quotes(*text);
  if (row == nullptr) {
    reader.error(element, problem, "use " + model::joint_type_names(true));
    return std::nullopt;
  }
  const std::string extension =
      "write type=\"continuous\" and add <featherline_joint type=\"" + *text + "\"/> inside the joint";
  if (row->needs_extension_numbers()) {
    reader.error(element, problem, "URDF lacks it: " + extension);
    return std::nullopt;
  }
  reader.warning("foreign-joint-type", element,
                 describe(element) + " is " + in_quotes(*text) + ", which URDF lacks",
                 "expect other tools to refuse it, or " + extension);
  return row->type;
}

/// The link that a `<parent>` or `<child>` names.
std::string read_end(const XMLElement& joint, const char* role, int& line, ElementReader& reader) {
  if (const XMLElement* element = reader.only_child(joint, role)) {
    line = element->GetLineNum();
    return reader.name(*element, "link").value_or("");
  }
  reader.error(joint, fmt::format("{} has no <{}>", describe(joint), role),
               fmt::format("add <{} link=\"...\"/>", role));
  return {};
}

void read_axis(const XMLElement& element, bool is_used, Joint& joint, ElementReader& reader) {
  const XMLElement* axis = reader.only_child(element, "axis");
  if (axis == nullptr) return;
  joint.axis_line = axis->GetLineNum();
  if (is_used && !reader.has(*axis, "xyz", "add it, e.g. xyz=\"0 0 1\"")) return;
  const auto xyz = reader.numbers<3>(*axis, "xyz");
  if (xyz && is_used) joint.axis = normalised(*xyz, describe(*axis), *axis, reader);
}

Limits read_limits(const XMLElement& element, ElementReader& reader) {
  // Some files write the largest double for "none".
  constexpr double largest = std::numeric_limits<double>::max();
  return {.lower = reader.number(element, "lower", largest),
          .upper = reader.number(element, "upper", largest),
          .velocity = reader.number(element, "velocity", largest).value_or(0.0),
          .effort = reader.number(element, "effort", largest).value_or(0.0),
          .line = element.GetLineNum(),
          .acceleration = reader.number(element, "acceleration", largest),
          .deceleration = reader.number(element, "deceleration", largest),
          .jerk = reader.number(element, "jerk", largest)};
}

Mimic read_mimic(const XMLElement& element, ElementReader& reader) {
  return {.joint = reader.name(element, "joint").value_or(""),
          .multiplier = reader.number(element, "multiplier").value_or(1.0),
          .offset = reader.number(element, "offset").value_or(0.0),
          .line = element.GetLineNum()};
}

Dynamics read_dynamics(const XMLElement& element, ElementReader& reader) {
  return {.damping = reader.number(element, "damping").value_or(0.0),
          .friction = reader.number(element, "friction").value_or(0.0),
          .line = element.GetLineNum()};
}

}  // namespace

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
