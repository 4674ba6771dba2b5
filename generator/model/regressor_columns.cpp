#include "model/chosen_inputs.hpp"

#include "model/build_tree.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace featherline::model {
namespace {

/// By ColumnKind: the first ones as numbers that can be inputs are.
const std::vector<JointNumber>& kinds() {
  static const std::vector<JointNumber> all = [] {
    std::vector<JointNumber> rows(joint_numbers().begin(), joint_numbers().begin() + 4);
    rows.push_back({"offset", nullptr, "", rows.back().fits, rows.back().whose});
    rows.push_back({"rotor", nullptr, "", nullptr, "rotors"});
    return rows;
  }();
  return all;
}

const JointNumber& number_of(ColumnKind kind) { return kinds()[static_cast<std::size_t>(kind)]; }

[[noreturn]] void refuse_columns(const std::string& word, const std::string& why) {
  throw UsageError("--regressor-columns: " + word + why);
}

}  // namespace

std::vector<std::string> joint_column_words() {
  std::vector<std::string> words;
  for (const JointNumber& row : kinds()) words.emplace_back(row.word);
  return words;
}

std::vector<JointColumn> choose_joint_columns(const UserTree& tree, const std::vector<std::string>& words) {
  std::vector<JointColumn> columns;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (std::find(words.begin(), word, *word) != word) refuse_columns(*word, " is named twice; name it once");
    const auto row =
        std::ranges::find(kinds(), *word, [](const JointNumber& r) { return std::string(r.word); });
    const auto kind = static_cast<ColumnKind>(row - kinds().begin());
    const std::size_t before = columns.size();
    if (row->fits == nullptr) {
      for (const Rotor& rotor : tree.rotors)
        columns.push_back({kind, tree.bodies[static_cast<std::size_t>(rotor.joint)].joint.name, rotor});
    }
    for (const Body& body : tree.bodies) {
      if (row->fits != nullptr && row->fits(body.joint)) columns.push_back({kind, body.joint.name, {}});
    }
    if (columns.size() == before)
      refuse_columns(*word, std::string(": the robot has no ") + row->whose + "; leave it out");
  }
  return columns;
}

std::string name_of(const JointColumn& column) {
  return std::string(number_of(column.kind).word) + ":" + column.joint;
}

double value_of(const Tree& tree, const JointColumn& column) {
  if (column.is_rotor()) return column.rotor.inertia;
  const auto body = std::ranges::find(tree.bodies, column.joint, [](const Body& b) { return b.joint.name; });
  double Joint::*const value = number_of(column.kind).which;
  return value == nullptr ? 0.0 : body->joint.*value;
}

int num_regressor_columns(const Tree& tree) {
  return parameters_per_body * num_user_bodies(tree) + static_cast<int>(tree.joint_columns.size());
}

const std::vector<JointNumber>& joint_numbers() {
  static const char *const axes_and_balls = "joints that turn about or slide along axes, and balls",
                           *const axes = "joints that turn about or slide along axes",
                           *const mimics = "joints that mimic another one";
  const auto is_driven = [](const Joint& joint) { return joint.row().can_be_driven(); };
  const auto has_axes = [](const Joint& joint) { return joint.row().moves_on_axes(); };
  const auto is_mimic = [](const Joint& joint) { return joint.mimics >= 0 && !joint.is_eliminated; };
  static const std::vector<JointNumber> all{
      {"armature", &Joint::armature, "kg m^2, kg", is_driven, axes_and_balls},
      {"damping", &Joint::damping, "N m s/rad, N s/m", is_driven, axes_and_balls},
      {"friction", &Joint::friction, "N m, N", is_driven, axes_and_balls},
      {"stiffness", &Joint::stiffness, "N m/rad, N/m", has_axes, axes},
      {"rest", &Joint::rest, "rad, m", has_axes, axes},
      {"gear", &Joint::multiplier, "motion of the joint for that of the one it mimics", is_mimic, mimics}};
  return all;
}

JointEntry ChosenInputs::entry_of(double Joint::*which, const Joint& joint) const {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const auto& [number, of_all, names, defaults] = joints[k];
    const auto found = number->which == which ? std::ranges::find(names, joint.name) : names.end();
    if (found == names.end()) continue;
    const auto at = found - names.begin();
    return {first_of_joints(k) + static_cast<int>(at), joint.*which - defaults[static_cast<std::size_t>(at)]};
  }
  return {};
}

int ChosenInputs::placement_of(const Tree& tree, std::size_t i) const {
  const auto& [name, parent, joint, inertia, lifted, frame] = tree.bodies[i];
  const auto found = std::ranges::find(placements, joint.name);
  if (found == placements.end()) return -1;  // also of a joint alone, whose parent is not in the tree
  const bool is_later_part = parent >= 0 && tree.bodies[index(parent)].joint.name == joint.name;
  if (is_later_part) return -1;
  return first_of_placement(static_cast<std::size_t>(found - placements.begin()));
}

bool ChosenInputs::has_gears() const {
  return std::ranges::any_of(joints,
                             [](const JointInput& x) { return x.number->which == &Joint::multiplier; });
}

Placement placement_of(const Eigen::Matrix<double, placement_entries, 1>& numbers) {
  const Vector3 turn = numbers.tail<3>();
  const double angle = turn.norm();
  const Vector3 axis = angle > 0.0 ? Vector3(turn / angle) : Vector3::UnitZ();
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), numbers.head<3>()};
}

bool may_have(const Tree& tree, double Joint::*which) {
  const auto is_input = [&](const JointInput& input) { return input.number->which == which; };
  return std::ranges::any_of(tree.chosen.joints, is_input) ||
         std::ranges::any_of(tree.bodies, [&](const Body& body) { return body.joint.*which != 0.0; });
}

namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& why) {
  throw UsageError(flag + ": " + why);
}

const Joint& find_joint(const Tree& tree, const std::string& name, const std::string& flag) {
  std::vector<std::string> names;
  for (const Body& body : tree.bodies) {
    if (body.joint.name == name) return body.joint;
    names.push_back(body.joint.name);
  }
  refuse(flag, no_such("moving joint", name, names));
}

}  // namespace

void add_joint_input(const Tree& tree, const JointNumber& number, bool of_one, const std::string& name,
                     const std::string& flag, ChosenInputs& chosen) {
  JointInput input{&number, !of_one, {}, {}};
  const auto add = [&](const Joint& joint) {
    if (chosen.entry_of(number.which, joint).place >= 0)
      refuse(flag, std::string(number.word) + " of joint " + in_quotes(joint.name) +
                       " is named twice; name it once" +
                       (of_one ? "" : ", or leave out " + std::string(number.word) + ":JOINT"));
    input.joints.push_back(joint.name);
    input.defaults.push_back(joint.*number.which + (number.which == &Joint::rest ? joint.offset : 0.0));
  };
  if (of_one && name.empty())
    refuse(flag, in_quotes(std::string(number.word) + ":") + " names no joint; write " + number.word +
                     ":JOINT, or " + number.word + " for all joints");
  if (of_one) {
    const Joint& joint = find_joint(tree, name, flag);
    if (!number.fits(joint))
      refuse(flag, std::string(number.word) + ": joint " + in_quotes(name) + " is " +
                       model::name(joint.type) + ", and only " + number.whose + " can have it");
    add(joint);
  } else {
    for (const Body& body : tree.bodies) {
      if (number.fits(body.joint)) add(body.joint);
    }
    if (input.joints.empty()) refuse(flag, std::string(number.word) + ": the robot has no " + number.whose);
  }
  chosen.joints.push_back(std::move(input));
}

void add_placement(const Tree& tree, const std::string& name, const std::string& flag, ChosenInputs& chosen) {
  if (name.empty()) refuse(flag, "placement names no joint; write placement:JOINT");
  find_joint(tree, name, flag);
  if (std::ranges::count(chosen.placements, name) > 0)
    refuse(flag, "placement of joint " + in_quotes(name) + " is named twice; name it once");
  chosen.placements.push_back(name);
}

}  // namespace featherline::model
