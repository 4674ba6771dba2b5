#include "formats/urdf/urdf.hpp"

#include "description/number.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

namespace featherline::urdf {
namespace {

/// Scales an axis, or a quaternion, to unit length. Zero is an error. A visible change of length is a warning. `subject`
/// is its name in the message.
template <class Vector>
Vector normalised(const Vector& read, const std::string& subject, const XMLElement& element,
                  ElementReader& reader) {
  const bool is_axis = Vector::SizeAtCompileTime == 3;
  const std::string unit = is_axis ? "write a unit vector" : "write a unit quaternion";
  // Uses stableNorm because the entries may be as small or large as a double allows.
  const double length = read.stableNorm();
  if (!(length > 0.0)) {
    reader.error(element, subject + " is zero", unit + " such as " + (is_axis ? "0 0 1" : "0 0 0 1"));
    return Vector::Unit(0);
  }
  if (std::abs(length - 1.0) > 1e-6)
    reader.warning(is_axis ? Finding("axis-scaled") : Finding("quaternion-scaled"), element,
                   subject + " has length " + to_text(length, 6) + " and is scaled to 1", unit);
  const Vector scaled = read / read.cwiseAbs().maxCoeff();
  return length == 1.0 ? read : Vector(scaled / scaled.norm());
}

/// The attributes xyz, and rpy or quat_xyzw, which URDF 1.1 has.
Origin read_pose(const XMLElement& element, ElementReader& reader) {
  constexpr const char* quaternion = "quat_xyzw";
  Origin origin;
  origin.line = element.GetLineNum();
  origin.xyz = reader.numbers<3>(element, "xyz").value_or(origin.xyz);
  origin.rpy = reader.numbers<3>(element, "rpy").value_or(origin.rpy);
  if (element.FindAttribute(quaternion) != nullptr && element.FindAttribute("rpy") != nullptr)
    reader.error(element, describe(element) + " has rpy and quat_xyzw", "keep one of them");
  if (const auto read = reader.numbers<4>(element, quaternion)) {
    const Eigen::Vector4d q =
        normalised(*read, std::string(quaternion) + " of " + describe(element), element, reader);
    origin.quat_xyzw = {q[0], q[1], q[2], q[3]};
  }
  return origin;
}

/// `<origin>` below `parent`; the identity if there is none.
Origin read_origin(const XMLElement& parent, ElementReader& reader) {
  const XMLElement* element = reader.only_child(parent, "origin");
  return element == nullptr ? Origin{} : read_pose(*element, reader);
}

/// The six independent entries. An absent moment is an error, because "zero" would be a guess. Absent products are
/// zero: the body's axes are then its principal axes.
std::optional<Eigen::Matrix3d> read_inertia(const XMLElement& element, ElementReader& reader) {
  struct Entry {
    const char* attribute;
    int row, column;
  };
  static constexpr Entry entries[] = {{"ixx", 0, 0}, {"ixy", 0, 1}, {"ixz", 0, 2},
                                      {"iyy", 1, 1}, {"iyz", 1, 2}, {"izz", 2, 2}};
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  bool complete = true;
  std::vector<std::string> absent;
  for (const Entry& entry : entries) {
    if (entry.row != entry.column && element.FindAttribute(entry.attribute) == nullptr) {
      absent.push_back(in_quotes(entry.attribute));
      continue;
    }
    const auto value = reader.required_number(element, entry.attribute);
    complete = complete && value.has_value();
    inertia(entry.row, entry.column) = inertia(entry.column, entry.row) = value.value_or(0.0);
  }
  if (!absent.empty()) {
    reader.warning("missing-products", element,
                   describe(element) + " has no " + join(absent) + ", taken as 0",
                   "add them; other tools may refuse the file");
  }
  return complete ? std::optional(inertia) : std::nullopt;
}

Inertial read_inertial(const XMLElement& element, ElementReader& reader) {
  Inertial inertial;
  inertial.line = element.GetLineNum();
  inertial.origin = read_origin(element, reader);
  if (const XMLElement* mass = reader.only_child(element, "mass")) {
    if (const auto value = reader.required_number(*mass, "value")) {
      inertial.mass = *value;
      inertial.mass_line = mass->GetLineNum();
    }
  } else {
    reader.warning("missing-mass", element, describe(element) + " has no <mass>, taken as 0",
                   "add <mass value=\"...\"/> in kilograms");
  }
  if (const XMLElement* inertia = reader.only_child(element, "inertia")) {
    if (const auto value = read_inertia(*inertia, reader)) {
      inertial.inertia = *value;
      inertial.inertia_line = inertia->GetLineNum();
    }
  } else {
    reader.warning("missing-inertia", element,
                   describe(element) + " has no <inertia>, taken as that of a point mass",
                   "add <inertia ixx=... ixy=... ixz=... iyy=... iyz=... izz=.../> in kg m^2");
  }
  return inertial;
}

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
  // No formula uses the limits, and some files write the largest double for "none".
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

constexpr const char* end_roles[] = {"first", "second", "on"};

/// Whether a constraint of this kind has such an end: <first> and <second>, or <on>.
bool has_end(const model::ConstraintKind& kind, std::string_view role) {
  return (kind.ends == 2) == (role != "on");
}

/// The frame in a link that <first>, <second> or <on> places.
void read_constraint_end(const XMLElement& element, const char* role, Constraint& constraint,
                         ElementReader& reader) {
  if (const XMLElement* end = reader.only_child(element, role)) {
    constraint.ends.push_back(
        {reader.name(*end, "link").value_or(""), read_pose(*end, reader), end->GetLineNum()});
  } else {
    reader.error(element, fmt::format("{} has no <{}>", describe(element), role),
                 fmt::format("add <{} link=\"...\" xyz=\"0 0 0\"/>", role));
  }
}

/// Reports what only constraints of other kinds have. Someone who writes it expects it to count.
void refuse_parts_of_other_kinds(const XMLElement& element, const model::ConstraintKind& kind,
                                 ElementReader& reader) {
  const auto refuse = [&](const std::string& what) {
    reader.error(element,
                 fmt::format("{} has {}, which type {} does not use", describe(element), what,
                             in_quotes(kind.urdf_word)),
                 "remove it, or correct the type");
  };
  if (!kind.has_axis && element.FindAttribute("axis") != nullptr) refuse("an axis");
  if (!kind.has_radius && element.FindAttribute("radius") != nullptr) refuse("a radius");
  for (const char* role : end_roles) {
    if (!has_end(kind, role) && element.FirstChildElement(role) != nullptr) refuse(fmt::format("<{}>", role));
  }
}

/// The attributes of loops that leave fewer coordinates.
void read_elimination(const XMLElement& element, bool is_loop, Constraint& constraint,
                      ElementReader& reader) {
  for (const char* attribute : {"eliminate", "independent", "branch"}) {
    if (!is_loop && element.FindAttribute(attribute) != nullptr)
      reader.error(
          element,
          fmt::format("{} has attribute \"{}\", which only loops have", describe(element), attribute),
          "remove it");
  }
  if (const char* text = element.Attribute("eliminate")) {
    constraint.eliminate = std::string_view(text) == "true";
    if (!constraint.eliminate && std::string_view(text) != "false")
      reader.error(element, fmt::format("eliminate of {} is {}", describe(element), in_quotes(text)),
                   "write true or false");
  }
  if (const char* text = element.Attribute("independent")) {
    for (const std::string_view word : split_words(text)) constraint.independent.emplace_back(word);
  }
  if (const auto branch = reader.number(element, "branch")) {
    constraint.branch = *branch > 0.0 ? 1 : -1;
    if (std::abs(*branch) != 1.0)
      reader.error(element, "branch of " + describe(element) + " is neither 1 nor -1", "write 1 or -1");
  }
}

constexpr const char* coupling = "coupling";

/// A sum over positions of joints, which is always eliminated.
void read_coupling(const XMLElement& element, Constraint& constraint, ElementReader& reader) {
  read_elimination(element, true, constraint, reader);
  if (element.Attribute("eliminate", "false") != nullptr || element.FindAttribute("branch") != nullptr)
    reader.error(element, "a coupling is always eliminated, in one way", "remove eliminate and branch");
  constraint.eliminate = true;
  constraint.offset = reader.number(element, "offset").value_or(0.0);
  for (const XMLElement* term = element.FirstChildElement("term"); term != nullptr;
       term = term->NextSiblingElement("term"))
    constraint.terms.push_back({reader.name(*term, "joint").value_or(""),
                                reader.required_number(*term, "coefficient").value_or(1.0),
                                term->GetLineNum()});
  if (constraint.terms.empty())
    reader.error(element, describe(element) + " couples no joints",
                 "add <term joint=\"...\" coefficient=\"...\"/>");
}

}  // namespace

Link read_link(const XMLElement& element, ElementReader& reader) {
  Link link;
  link.line = element.GetLineNum();
  link.name = reader.name(element, "name").value_or("");
  if (const XMLElement* inertial = reader.only_child(element, "inertial")) {
    link.inertial = read_inertial(*inertial, reader);
  }
  return link;
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

Constraint read_constraint(const XMLElement& element, ElementReader& reader) {
  Constraint constraint;
  constraint.line = element.GetLineNum();
  constraint.name = reader.name(element, "name").value_or("");
  const auto word = reader.name(element, "type");
  if (!word) return constraint;
  if (*word == coupling) {
    read_coupling(element, constraint, reader);
    return constraint;
  }
  const model::ConstraintKind* kind = model::find_constraint_kind(*word, false);
  if (kind == nullptr) {
    reader.error(element, "unknown constraint type " + in_quotes(*word),
                 "use " + join(model::constraint_words(false)) + ", " + coupling);
    return constraint;
  }
  read_elimination(element, kind->ends == 2, constraint, reader);
  constraint.type = kind->type;
  refuse_parts_of_other_kinds(element, *kind, reader);
  if (const auto axis = reader.numbers<3>(element, "axis"); axis && kind->has_axis)
    constraint.axis = normalised(*axis, "axis of " + describe(element), element, reader);
  if (kind->has_radius) {
    constraint.radius = reader.required_number(element, "radius").value_or(1.0);
    if (!(constraint.radius > 0.0))
      reader.error(element, "the radius of " + describe(element) + " is not positive",
                   "write the radius of the wheel in metres");
  }
  for (const char* role : end_roles) {
    if (has_end(*kind, role)) read_constraint_end(element, role, constraint, reader);
  }
  return constraint;
}

Rotor read_rotor(const XMLElement& element, ElementReader& reader) {
  Rotor rotor;
  rotor.line = element.GetLineNum();
  rotor.name = reader.name(element, "joint").value_or("");
  const std::string subject = fmt::format("the rotor of joint {}", in_quotes(rotor.name));
  const auto positive = [&](const char* attribute, const char* remedy) {
    const double value = reader.required_number(element, attribute).value_or(1.0);
    if (!(value > 0.0))
      reader.error(element, fmt::format("{} of {} is not positive: {}", attribute, subject, to_text(value)),
                   remedy);
    return value;
  };
  if (element.FindAttribute("carrier") != nullptr)
    rotor.carrier = reader.name(element, "carrier").value_or("");
  rotor.gear_ratio = reader.required_number(element, "gear_ratio").value_or(1.0);
  if (rotor.gear_ratio == 0.0)
    reader.error(
        element, "gear_ratio of " + subject + " is 0",
        "write how often the rotor turns in its carrier while the joint turns once, or remove the rotor");
  rotor.inertia =
      positive("inertia", "write the rotor's own moment of inertia about its axis, without the gear");
  if (const auto axis = reader.numbers<3>(element, "axis"))
    rotor.axis = normalised(*axis, "axis of " + subject, element, reader);
  if (element.FindAttribute("mass") == nullptr) {
    for (const char* part : {"xyz", "transverse_inertia"}) {
      if (element.FindAttribute(part) == nullptr) continue;
      reader.error(element, fmt::format("{} has {}, but no mass", subject, part),
                   "add the mass if the inertia of the carrier leaves the rotor out, or remove it");
    }
    return rotor;
  }
  rotor.mass =
      positive("mass", "write it in kilograms, or leave it out if the mass of the carrier includes it");
  rotor.com = reader.numbers<3>(element, "xyz").value_or(rotor.com);
  const double disc = rotor.inertia / 2.0;
  rotor.transverse_inertia = reader.number(element, "transverse_inertia").value_or(disc);
  if (rotor.transverse_inertia < disc)
    reader.error(
        element,
        fmt::format("transverse_inertia of {} is below half of its inertia, as no body has it", subject),
        "correct one of them: a flat disc has half, a long rotor has more");
  return rotor;
}

}  // namespace featherline::urdf
