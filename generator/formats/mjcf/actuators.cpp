#include "formats/mjcf/bodies.hpp"

#include <algorithm>
#include <tuple>

namespace featherline::mjcf {
namespace {

/// Reads <tendon> and <actuator> of a model.
class Drives {
 public:
  Drives(const Scope& scope, const Bodies& bodies, Description& robot)
      : scope_(scope), bodies_(bodies), robot_(robot) {}

  void read_tendon(const Element& element) {
    const Item item = scope_.source->classes.item(element, "tendon");
    if (element.tag() == "spatial") {
      if (is_set(item, "armature") || is_set(item, "stiffness") || is_set(item, "damping") ||
          is_set(item, "frictionloss"))
        element.fault(" pulls or has armature, which is not read", "remove it");
      return;
    }
    std::optional<std::vector<std::pair<std::string, double>>> joints = joints_of(element);
    if (!joints) return;
    const char* name = element.attribute("name");
    const std::string known_by =
        name != nullptr ? scope_.name(name) : "line " + std::to_string(element.line());
    Tendon tendon{known_by, element.line(), std::move(*joints), {}, element.file()};
    tendon.dynamics = dynamics_of(item, tendon);
    if (name != nullptr) tendons_[name] = robot_.tendons.size();
    robot_.tendons.push_back(std::move(tendon));
  }

  void read_actuator(const Element& element) {
    const Item item = scope_.source->classes.item(element, "actuator");
    const std::string muscles = item.text("dyntype") + item.text("gaintype") + item.text("biastype");
    if (muscles.find("muscle") != muscles.npos)
      return element.fault(" is a muscle, which is not read", "remove it");
    const double armature = item.number("armature", 0.0);
    if (armature == 0.0 && !is_set(item, "damping")) return;
    const double gear = item.overwritten("gear", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}).front();
    Dynamics* driven = driven_by(item);
    const auto damping = item.numbers("damping", 1, 3).value_or(std::vector<double>{0.0});
    if (driven == nullptr || is_polynomial(damping)) {
      if (scope_.depth > 0 && driven == nullptr) return;  // what it drives is not attached
      return element.fault(" has armature or damping that is not read",
                           "give it to a hinge, a slide or a fixed tendon, damping as one number");
    }
    driven->armature += gear * gear * armature;
    driven->damping += gear * gear * damping.front();
  }

 private:
  static bool is_set(const Item& item, const char* attribute) {
    const auto values = item.numbers(attribute, 1, 3);
    return values && std::any_of(values->begin(), values->end(), [](double x) { return x != 0.0; });
  }
  static bool is_polynomial(const std::vector<double>& values) {
    return std::any_of(values.begin() + 1, values.end(), [](double x) { return x != 0.0; });
  }

  /// Null where there is none.
  Joint* find(const std::string& name) const {
    const auto found = bodies_.joints.find(scope_.name(name));
    return found == bodies_.joints.end() ? nullptr : &robot_.joints[found->second];
  }

  /// Null where the actuator drives neither an axis nor a fixed tendon.
  Dynamics* driven_by(const Item& actuator) const {
    Joint* joint = find(actuator.text("joint", actuator.text("jointinparent")));
    if (joint != nullptr) return model::row_of(joint->type).has_one_axis() ? &*joint->dynamics : nullptr;
    const auto tendon = tendons_.find(actuator.text("tendon"));
    return tendon == tendons_.end() ? nullptr : &robot_.tendons[tendon->second].dynamics;
  }

  /// Nothing after an error, or if one of them is not attached.
  std::optional<std::vector<std::pair<std::string, double>>> joints_of(const Element& tendon) const {
    std::vector<std::pair<std::string, double>> joints;
    for (const Element& child : tendon.children) {
      const auto name = child.reader->name(*child.xml, "joint");
      const Joint* joint = name ? find(*name) : nullptr;
      if (joint == nullptr || !model::row_of(joint->type).has_one_axis()) {
        if (name && scope_.depth == 0)
          child.error("joint of " + describe(*child.xml) + " is " + in_quotes(*name) +
                          ", which is not a hinge or a slide",
                      "correct the name");
        return std::nullopt;
      }
      joints.emplace_back(joint->name, Item(child, {}).number("coef", 1.0));
    }
    return joints;
  }

  Dynamics dynamics_of(const Item& item, const Tendon& tendon) const {
    Dynamics dynamics;
    dynamics.line = tendon.line;
    constexpr std::size_t number = 1, polynomial = 3;
    for (const auto& [attribute, most, value] : {std::tuple{"armature", number, &dynamics.armature},
                                                 {"damping", polynomial, &dynamics.damping},
                                                 {"frictionloss", number, &dynamics.friction},
                                                 {"stiffness", polynomial, &dynamics.stiffness}}) {
      const auto values = item.numbers(attribute, 1, most).value_or(std::vector<double>{0.0});
      *value = values.front();
      if (is_polynomial(values)) dynamics.left_out = std::string(attribute) + " that is a polynomial";
      if (*value < 0.0)
        item.element().error(std::string(attribute) + " of " + describe(*item.element().xml) + " is negative",
                             "write at least 0");
    }
    const auto rest = item.numbers("springlength", 1, 2).value_or(std::vector<double>{-1.0});
    if (rest.front() != rest.back() && dynamics.stiffness != 0.0)
      dynamics.left_out = "a spring that is at rest between two lengths";
    dynamics.rest = rest.front();
    if (rest != std::vector<double>(rest.size(), -1.0)) return dynamics;
    dynamics.rest = 0.0;  // as long as where the springs of all joints are at rest
    for (const auto& [joint, coefficient] : tendon.joints)
      dynamics.rest += coefficient * robot_.joints[bodies_.joints.at(joint)].dynamics->rest;
    return dynamics;
  }

  const Scope& scope_;
  const Bodies& bodies_;
  Description& robot_;
  std::map<std::string, std::size_t> tendons_;  ///< by name in the scope: index in Description::tendons
};

}  // namespace

void read_drives(const Scope& scope, const Bodies& bodies, Description& robot) {
  const Element& root = scope.source->document.root();
  Drives drives(scope, bodies, robot);
  for (const Element* element : elements_in(root, "tendon")) drives.read_tendon(*element);
  for (const Element* element : elements_in(root, "actuator")) drives.read_actuator(*element);
  if (scope.source != bodies.scopes.front().source && !elements_in(root, "keyframe", "key").empty())
    root.note("keyframes of an attached model are left out");
}

/// MuJoCo's qpos0: where bodies are in the file.
std::vector<double> reference_position(const Bodies& bodies, const Description& robot) {
  std::vector<double> q;
  for (const Joint& joint : robot.joints) {
    const model::JointRow& row = model::row_of(joint.type);
    const Pose X = joint.type == JointType::floating ? bodies.links.at(joint.child).in_world : Pose{};
    if (joint.type == JointType::floating) q.insert(q.end(), X.p.begin(), X.p.end());
    if (row.quaternion() >= 0) q.insert(q.end(), {X.q.w(), X.q.x(), X.q.y(), X.q.z()});
    if (row.has_one_axis()) q.push_back(bodies.references.at(joint.name));
  }
  return q;
}

void read_keyframes(const Bodies& bodies, Description& robot) {
  const std::vector<double> start = reference_position(bodies, robot);
  const Element& root = bodies.scopes.front().source->document.root();
  for (const Element* key : elements_in(root, "keyframe", "key")) {
    if (key->attribute("name") == nullptr) continue;
    auto q = key->attribute("qpos") == nullptr ? std::optional(start)
                                               : numbers_of(*key, "qpos", start.size(), start.size());
    if (!q) continue;
    auto at = q->begin();
    for (const Joint& joint : robot.joints) {
      const model::JointRow& row = model::row_of(joint.type);
      if (const int first = row.quaternion(); first >= 0) {
        const bool is_zero = std::all_of(at + first, at + first + 4, [](double x) { return x == 0.0; });
        if (is_zero) key->note("a quaternion of " + describe(*key->xml) + " is zero, which means no turn");
        if (is_zero) at[first] = 1.0;
        const Eigen::Quaterniond unit = unit_quaternion({at + first, at + first + 4}, *key);
        std::copy_n(unit.coeffs().data(), 4, at + first);  // x y z w
      }
      at += row.nq();
    }
    robot.positions.push_back({key->attribute("name"), std::move(*q), key->line()});
  }
}

}  // namespace featherline::mjcf
