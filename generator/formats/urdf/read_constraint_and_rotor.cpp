#include "description/checks.hpp"
#include "formats/urdf/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::urdf {
namespace {

constexpr const char* end_roles[] = {"first", "second", "on"};

/// Whether a constraint of this kind has such an end: <first> and <second>, or <on>.
bool has_end(const model::ConstraintKind& kind, std::string_view role) {
  return kind.ends > 0 && (kind.ends == 2) == (role != "on");
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

/// A sum over positions of joints.
void read_coupling(const XMLElement& element, Constraint& constraint, ElementReader& reader) {
  if (element.FindAttribute("eliminate") == nullptr) constraint.eliminate = true;
  if (element.FindAttribute("branch") != nullptr)
    reader.error(element, "a coupling is eliminated in one way alone", "remove branch");
  constraint.offset = reader.number(element, "offset").value_or(0.0);
  const auto couples = [&](const std::string& joint) {
    return std::ranges::find(constraint.terms, joint, &Constraint::Term::joint) != constraint.terms.end();
  };
  for (const XMLElement* term = element.FirstChildElement("term"); term != nullptr;
       term = term->NextSiblingElement("term")) {
    const std::string joint = reader.name(*term, "joint").value_or("");
    const double coefficient = reader.required_number(*term, "coefficient").value_or(1.0);
    if (!joint.empty() && couples(joint))
      reader.error(*term, describe(element) + " has joint " + in_quotes(joint) + " twice",
                   "write it once, with the sum of the coefficients");
    if (std::abs(coefficient) < 1e-9)  // below what the file's other numbers are exact to
      reader.error(*term, "the coefficient of joint " + in_quotes(joint) + " is " + to_text(coefficient),
                   "leave the joint out, or multiply all coefficients and the offset by a number");
    constraint.terms.push_back({joint, coefficient, term->GetLineNum()});
  }
  if (constraint.terms.empty())
    reader.error(element, describe(element) + " couples no joints",
                 "add <term joint=\"...\" coefficient=\"...\"/>");
}

}  // namespace

Constraint read_constraint(const XMLElement& element, ElementReader& reader) {
  Constraint constraint;
  constraint.line = element.GetLineNum();
  constraint.name = reader.name(element, "name").value_or("");
  const auto word = reader.name(element, "type");
  if (!word) return constraint;
  const model::ConstraintKind* kind = model::find_constraint_kind(*word, false);
  if (kind == nullptr) {
    reader.error(element, "unknown constraint type " + in_quotes(*word),
                 "use " + join(model::constraint_words(false)));
    return constraint;
  }
  read_elimination(element, kind->ends != 1, constraint, reader);
  constraint.type = kind->type;
  refuse_parts_of_other_kinds(element, *kind, reader);
  if (kind->type == model::ConstraintType::coupling) {
    read_coupling(element, constraint, reader);
    return constraint;
  }
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

namespace {

constexpr const char* rotor_inertia = "drake:rotor_inertia";

/// What is wrong with numbers that are read.
void demand(bool is_good, const XMLElement& element, const char* complaint, const char* remedy,
            ElementReader& reader) {
  if (!is_good) reader.error(element, "<" + std::string(element.Name()) + "> " + complaint, remedy);
}

/// How fast the rotor turns against the joint: drake:gear_ratio, or else mechanicalReduction of ros_control.
double gear_ratio(const XMLElement& actuator, ElementReader& reader) {
  const auto checked = [&](const XMLElement& element, double ratio) {
    demand(ratio != 0.0, element, "is 0", "write how often the rotor turns while the joint turns once",
           reader);
    return ratio;
  };
  if (const XMLElement* gear = actuator.FirstChildElement("drake:gear_ratio"))
    return checked(*gear, reader.required_number(*gear, "value").value_or(1.0));
  const XMLElement* reduction = actuator.FirstChildElement("mechanicalReduction");
  if (reduction == nullptr) return 1.0;
  const std::string text = reduction->GetText() == nullptr ? "" : reduction->GetText();
  const ParsedNumber read = parse_plausible(trimmed(text));
  if (!read.problem.empty()) reader.error(*reduction, "<mechanicalReduction>: " + read.problem, read.remedy);
  return read.problem.empty() ? checked(*reduction, read.value) : 1.0;
}

}  // namespace

bool has_rotor_inertia(const XMLElement& transmission) {
  const XMLElement* actuator = transmission.FirstChildElement("actuator");
  return actuator != nullptr && actuator->FirstChildElement(rotor_inertia) != nullptr;
}

void read_transmission(const XMLElement& element, Description& robot, ElementReader& reader) {
  if (!has_rotor_inertia(element)) return;
  const auto tell = [&](const char* what) {
    reader.note(element, "<" + std::string(rotor_inertia) + "> " + what);
  };
  const XMLElement& actuator = *element.FirstChildElement("actuator");
  const XMLElement* end = element.FirstChildElement("joint");
  if (end == nullptr || end->NextSiblingElement("joint") != nullptr ||
      actuator.NextSiblingElement("actuator") != nullptr)
    return tell("is ignored: the transmission is not between one joint and one actuator");
  const char* name = end->Attribute("name");
  const auto joint = std::ranges::find(robot.joints, name == nullptr ? "" : name, &Joint::name);
  if (joint == robot.joints.end()) return tell("is ignored: its joint does not exist");
  const XMLElement& of_rotor = *actuator.FirstChildElement(rotor_inertia);
  const double gear = gear_ratio(actuator, reader),
               inertia = reader.required_number(of_rotor, "value").value_or(0.0);
  demand(inertia >= 0.0, of_rotor, "is negative", "write the inertia of the rotor about its axis [kg m^2]",
         reader);
  if (!joint->dynamics) joint->dynamics = Dynamics{.line = element.GetLineNum()};
  if (inertia > 0.0) joint->dynamics->armature += inertia * gear * gear;
  tell("is read: as armature it enters with --joint-dynamics armature or model");
}

}  // namespace featherline::urdf
