#include "formats/urdf/urdf.hpp"

#include "description/number.hpp"
#include "support/text.hpp"

#include <algorithm>

namespace featherline::urdf {
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
