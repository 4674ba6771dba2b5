#include "formats/urdf/urdf.hpp"

#include "description/checks.hpp"
#include "description/number.hpp"
#include "formats/element.hpp"

#include <string_view>

namespace featherline::urdf {
namespace {

void read_robot(const XMLElement& robot, Description& description, ElementReader& reader) {
  description.line = robot.GetLineNum();
  const char* name = robot.Attribute("name");
  description.name = name == nullptr ? "" : name;
  if (split_words(description.name).empty()) {
    description.name = "robot";
    reader.warning("unnamed-robot", robot, "the robot has no name and is called \"robot\"",
                   "write <robot name=\"...\">, or pass --name");
  }
  for (const XMLElement* child = robot.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string_view kind = child->Name();
    if (kind == "link") description.links.push_back(read_link(*child, reader));
    if (kind == "joint") description.joints.push_back(read_joint(*child, reader));
    if (kind == "featherline_constraint") description.constraints.push_back(read_constraint(*child, reader));
    if (kind == "featherline_rotor") description.rotors.push_back(read_rotor(*child, reader));
    if (kind == "robot") reader.error(*child, "a <robot> inside the robot", "keep one robot per file");
  }
  const XMLElement *unread = nullptr, *dynamics = nullptr;  // the first ones
  for (const XMLElement* child = robot.FirstChildElement("transmission"); child != nullptr;
       child = child->NextSiblingElement("transmission")) {
    read_transmission(*child, description, reader);
    if (unread == nullptr && !has_rotor_inertia(*child)) unread = child;
  }
  for (const XMLElement* child = robot.FirstChildElement("joint"); child != nullptr && dynamics == nullptr;
       child = child->NextSiblingElement("joint"))
    dynamics = child->FirstChildElement("dynamics");
  if (unread != nullptr) reader.note(*unread, "<transmission> is left out: it is for other tools");
  if (dynamics != nullptr)
    reader.note(*dynamics, "<dynamics> is read: damping and friction enter only with --joint-dynamics model");
}

/// Some simulators know a link "world" that a file need not declare.
void add_world(Description& description, ElementReader& reader) {
  for (const Link& link : description.links) {
    if (link.name == "world") return;
  }
  for (const Joint& joint : description.joints) {
    if (joint.parent != "world") continue;
    reader.diagnostics().warning("undeclared-world", at(description, joint, joint.parent_line, "/parent"),
                                 "the parent of joint " + in_quotes(joint.name) +
                                     " is link \"world\", which is not declared and taken as an empty link",
                                 "add <link name=\"world\"/>; other tools may refuse the file");
    description.links.push_back({"world", joint.parent_line, std::nullopt});
    return;
  }
}

}  // namespace

void read(const XMLElement& robot, const std::string& text, UnknownWords unknown, Description& description,
          ElementReader& reader) {
  read_robot(robot, description, reader);
  add_world(description, reader);
  check_words(with_children(robot, reader), "URDF", unknown);
  check(description, reader.diagnostics());
  if (!reader.diagnostics().has_errors()) cross_check(text, description, reader.diagnostics());
}

}  // namespace featherline::urdf
