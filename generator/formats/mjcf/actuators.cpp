#include "formats/mjcf/relations.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::mjcf {
namespace {

/// Reads <tendon> and <actuator> of a model.
class Drives {
 public:
  Drives(const Scope& scope, const Bodies& bodies, Description& robot)
      : scope_(scope), bodies_(bodies), robot_(robot) {}

  void read_tendon(const Element& element) {
    const Item item = scope_.source->classes.item(element, "tendon");
    const double armature = item.number("armature", 0.0);
    const bool pulls = is_set(item, "stiffness") || is_set(item, "damping") || is_set(item, "frictionloss");
    if (element.tag() == "spatial") {
      if (pulls || armature != 0.0)
        element.error(describe(*element.xml) + " pulls or has armature, which is not read", "remove it");
      return;
    }
    const Train train = train_of(element);
    if (const char* name = element.attribute("name")) tendons_[name] = train;
    add_armature(train, armature, "the armature of a tendon between joints");
    if (!pulls) return;
    element.note("stiffness, damping and friction of " + describe(*element.xml) + " are left out");
    for (const auto& [dynamics, coefficient] : train) dynamics->left_out = "a force of a tendon";
  }

  void read_actuator(const Element& element) {
    const Item item = scope_.source->classes.item(element, "actuator");
    const std::string muscles = item.text("dyntype") + item.text("gaintype") + item.text("biastype");
    if (muscles.find("muscle") != muscles.npos)
      return element.error(describe(*element.xml) + " is a muscle, which is not read", "remove it");
    const double armature = item.number("armature", 0.0);
    const bool damps = is_set(item, "damping");
    if (armature == 0.0 && !damps) return;
    const std::string name = item.text("joint", item.text("jointinparent"));
    const double gear = item.overwritten("gear", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}).front();
    Train train;
    if (Joint* joint = find(name)) {
      if (model::row_of(joint->type).has_one_axis()) train = {{&*joint->dynamics, 1.0}};
    } else if (const auto tendon = tendons_.find(item.text("tendon")); tendon != tendons_.end()) {
      train = tendon->second;
    }
    const auto damping = item.numbers("damping", 1, 3).value_or(std::vector<double>{0.0});
    const bool bends = std::any_of(damping.begin() + 1, damping.end(), [](double x) { return x != 0.0; });
    if (train.empty() || bends) {
      if (scope_.depth > 0 && train.empty()) return;  // what it drives is not attached
      return element.error(describe(*element.xml) + " has armature or damping that is not read",
                           "give it to a hinge, a slide or a fixed tendon, damping as one number");
    }
    add_armature(train, gear * gear * armature, "the armature of an actuator between joints");
    for (const auto& [dynamics, coefficient] : train) {
      if (train.size() == 1) dynamics->damping += std::pow(gear * coefficient, 2) * damping.front();
      if (train.size() > 1 && damps) dynamics->left_out = "the damping of an actuator between joints";
    }
  }

 private:
  /// Joints that one drive moves, and how far it goes for each radian or metre of them.
  using Train = std::vector<std::pair<Dynamics*, double>>;

  static bool is_set(const Item& item, const char* attribute) {
    const auto values = item.numbers(attribute, 1, 3);
    return values && std::any_of(values->begin(), values->end(), [](double x) { return x != 0.0; });
  }

  /// Null where there is none.
  Joint* find(const std::string& name) const {
    const auto found = bodies_.joints.find(scope_.name(name));
    return found == bodies_.joints.end() ? nullptr : &robot_.joints[found->second];
  }

  Train train_of(const Element& tendon) const {
    Train train;
    for (const Element& child : tendon.children) {
      const auto name = child.reader->name(*child.xml, "joint");
      Joint* joint = name ? find(*name) : nullptr;
      if (joint != nullptr && model::row_of(joint->type).has_one_axis())
        train.emplace_back(&*joint->dynamics, Item(child, {}).number("coef", 1.0));
      else if (name && scope_.depth == 0)
        child.error("joint of " + describe(*child.xml) + " is " + in_quotes(*name) +
                        ", which is not a hinge or a slide",
                    "correct the name");
    }
    return train;
  }

  /// Between several joints it is not on the diagonal of M.
  static void add_armature(const Train& train, double armature, const char* what) {
    if (train.size() == 1) train.front().first->armature += std::pow(train.front().second, 2) * armature;
    for (const auto& [dynamics, coefficient] : train) {
      if (train.size() > 1 && armature != 0.0) dynamics->left_out_of_M = what;
    }
  }

  const Scope& scope_;
  const Bodies& bodies_;
  Description& robot_;
  std::map<std::string, Train> tendons_;
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
