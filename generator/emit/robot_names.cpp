#include "emit/robot_names.hpp"

#include "diagnostic.hpp"
#include "emit/emit.hpp"
#include "emit/namer.hpp"

namespace featherline::emit {

std::string emitted_name(const std::string& requested) { return identifier(requested, "robot"); }

std::vector<std::string> link_enumerators(const model::Tree& tree) {
  Namer namer("link");
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(namer.take(link.name));
  return names;
}

std::vector<std::string> pose_step_names(const model::Tree& tree) {
  Namer namer("body");
  namer.reserve("pose");       // a parameter, and
  namer.reserve("pose_step");  // the switch over the steps
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) names.push_back(namer.take("pose_" + body.name));
  return names;
}

const char* joint_type_name(model::JointType type) {
  using model::JointType;
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::floating:
      return "floating";
    case JointType::planar:
      return "planar";
    case JointType::spherical:
      return "spherical";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::helical:
      return "helical";
    case JointType::universal:
      return "universal";
  }
  throw InternalError("a joint has no type");
}

std::vector<int> independent_joints(const model::Tree& tree) {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].joint.mimics < 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

}  // namespace featherline::emit
