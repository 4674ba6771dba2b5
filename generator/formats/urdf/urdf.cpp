#include "formats/urdf/urdf.hpp"

#include "description/checks.hpp"
#include "joints/geometry.hpp"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

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

namespace {

/// urdfdom destroys a chain of links by recursion, one level for each link.
constexpr std::size_t most_links = 2000;
constexpr std::size_t most_bytes = std::size_t{8} << 20;

/// Keeps the first error urdfdom prints, and prints nothing.
class FirstError : public console_bridge::OutputHandler {
 public:
  FirstError() { console_bridge::useOutputHandler(this); }
  ~FirstError() override { console_bridge::restorePreviousOutputHandler(); }
  FirstError(const FirstError&) = delete;
  FirstError& operator=(const FirstError&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR && text_.empty()) text_ = text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

bool close(const Eigen::Vector3d& a, const ::urdf::Vector3& b) {
  return close(a.x(), b.x) && close(a.y(), b.y) && close(a.z(), b.z);
}

/// urdfdom turns angles into a quaternion, and so rounds them.
bool same_turn(const Origin& ours, const ::urdf::Rotation& theirs) {
  const Eigen::Matrix3d R = model::rotation_from_quaternion(theirs.x, theirs.y, theirs.z, theirs.w);
  return (R - rotation(ours)).cwiseAbs().maxCoeff() <= 1e-9;
}

/// `place` and `turn` say what differs. Older versions of urdfdom ignore quaternions.
std::string difference(const Origin& ours, const ::urdf::Pose& theirs, const char* place, const char* turn) {
  if (!close(ours.xyz, theirs.position)) return place;
  if (same_turn(ours, theirs.rotation)) return {};
  return std::string(turn) + (ours.quat_xyzw ? " (it may not know quat_xyzw)" : "");
}

/// \return the difference, or nothing
std::string difference(const Link& ours, const ::urdf::Link* theirs) {
  if (theirs == nullptr) return "does not exist";
  if (ours.inertial.has_value() != (theirs->inertial != nullptr)) return "has another inertial";
  if (!ours.inertial) return {};
  if (!close(ours.inertial->mass, theirs->inertial->mass))
    return "has mass " + to_text(theirs->inertial->mass);
  return difference(ours.inertial->origin, theirs->inertial->origin, "has another centre of mass",
                    "has other axes of inertia");
}

std::string difference(const Joint& ours, const ::urdf::Joint* theirs) {
  if (theirs == nullptr) return "does not exist";
  if (ours.parent != theirs->parent_link_name || ours.child != theirs->child_link_name)
    return "joins other links";
  return difference(ours.origin, theirs->parent_to_joint_origin_transform, "has another origin",
                    "is turned otherwise");
}

template <class Part>
void report(const Description& description, const Part& part, const std::string& what,
            Diagnostics& diagnostics) {
  if (what.empty()) return;
  diagnostics.warning("urdfdom-differs", at(description, part, part.line),
                      std::string("to urdfdom, the parser of the ROS tools, ") + Part::element + ' ' +
                          in_quotes(part.name) + ' ' + what,
                      "find out which reading is meant; ours is strict and keeps what is written");
}

}  // namespace

void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics) {
  if (description.links.size() > most_links || text.size() > most_bytes) return;
  const FirstError errors;
  const ::urdf::ModelInterfaceSharedPtr model = ::urdf::parseURDF(text);
  if (model == nullptr) {
    diagnostics.warning(
        "urdfdom-refuses", {description.file, description.line, "robot"},
        "urdfdom, the parser of the ROS tools, refuses this file: " + printable(errors.text()),
        "expect other tools to refuse it too");
    return;
  }
  for (const Link& link : description.links)
    report(description, link, difference(link, model->getLink(link.name).get()), diagnostics);
  for (const Joint& joint : description.joints)
    report(description, joint, difference(joint, model->getJoint(joint.name).get()), diagnostics);
}

}  // namespace featherline::urdf
