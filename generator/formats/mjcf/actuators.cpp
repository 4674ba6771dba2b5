#include "formats/mjcf/relations.hpp"

#include <algorithm>

namespace featherline::mjcf {
namespace {

void read_actuator(const Item& item, const Bodies& bodies, Description& robot) {
  const Element& element = item.element();
  const std::string muscles = item.text("dyntype") + item.text("gaintype") + item.text("biastype");
  if (muscles.find("muscle") != muscles.npos)
    return element.error(describe(*element.xml) + " is a muscle, which is not read", "remove it");
  const double armature = item.number("armature", 0.0);
  const auto damping = item.numbers("damping", 1, 3).value_or(std::vector<double>{0.0});
  if (armature == 0.0 && damping == std::vector<double>(damping.size(), 0.0)) return;
  const std::string name = item.text("joint", item.text("jointinparent"));
  const auto found = bodies.joints.find(name);
  if (found == bodies.joints.end())
    return element.error(describe(*element.xml) + " has armature or damping, and does not drive a joint",
                         "give them to joints");
  const double gear = item.overwritten("gear", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}).front();
  Joint& joint = robot.joints[found->second];
  if (!model::row_of(joint.type).has_one_axis() ||
      std::count(damping.begin(), damping.end(), 0.0) + 1 < static_cast<long>(damping.size()))
    return element.error(describe(*element.xml) + " has armature or damping that is not read",
                         "give them to the joint");
  joint.dynamics->armature += gear * gear * armature;
  joint.dynamics->damping += gear * gear * damping.front();
}

}  // namespace

std::vector<const Element*> elements_in(const Element& root, std::string_view section, std::string_view tag) {
  std::vector<const Element*> found;
  for (const Element& top : root.children) {
    if (top.tag() != section) continue;
    for (const Element& child : top.children) {
      if (tag.empty() || child.tag() == tag) found.push_back(&child);
    }
  }
  return found;
}

void read_actuators(const Element& root, const Classes& classes, const Bodies& bodies, Description& robot) {
  for (const Element* element : elements_in(root, "actuator"))
    read_actuator(classes.item(*element, "actuator"), bodies, robot);
}

void read_tendons(const Element& root, const Classes& classes, const Bodies& bodies, Description& robot) {
  for (const Element* element : elements_in(root, "tendon")) {
    const Item item = classes.item(*element, "tendon");
    if (item.number("armature", 0.0) != 0.0)
      element->error(describe(*element->xml) + " has armature, which is not read", "give it to joints");
    const bool is_spatial = element->tag() == "spatial";
    const auto pulls = [&](const char* attribute) {
      const auto values = item.numbers(attribute, 1, 3);
      return values && std::any_of(values->begin(), values->end(), [](double x) { return x != 0.0; });
    };
    if (!pulls("stiffness") && !pulls("damping") && !pulls("frictionloss")) continue;
    if (is_spatial) {
      element->error(describe(*element->xml) + " pulls, which is not read", "remove it");
      continue;
    }
    element->note("stiffness, damping and friction of " + describe(*element->xml) + " are left out");
    for (const Element& child : element->children) {
      const char* name = child.attribute("joint");
      const auto found = bodies.joints.find(name == nullptr ? "" : name);
      if (found == bodies.joints.end()) continue;
      auto& dynamics = robot.joints[found->second].dynamics;
      if (dynamics) dynamics->left_out = "a force of a tendon";
    }
  }
}

void read_keyframes(const Element& root, Description& robot) {
  std::size_t num_numbers = 0;
  for (const Joint& joint : robot.joints)
    num_numbers += static_cast<std::size_t>(model::row_of(joint.type).nq());
  for (const Element* key : elements_in(root, "keyframe", "key")) {
    if (key->attribute("name") == nullptr || key->attribute("qpos") == nullptr) continue;
    auto q = numbers_of(*key, "qpos", num_numbers, num_numbers);
    if (!q) continue;
    auto at = q->begin();
    for (const Joint& joint : robot.joints) {
      const model::JointRow& row = model::row_of(joint.type);
      if (const int first = row.quaternion(); first >= 0) {
        const Eigen::Quaterniond unit = unit_quaternion({at + first, at + first + 4}, *key);
        std::copy_n(unit.coeffs().data(), 4, at + first);  // x y z w
      }
      at += row.nq();
    }
    robot.positions.push_back({key->attribute("name"), std::move(*q), key->line()});
  }
}

}  // namespace featherline::mjcf
