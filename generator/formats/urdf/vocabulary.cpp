#include "formats/urdf/urdf.hpp"

#include "description/number.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace featherline::urdf {
namespace {

using Names = std::vector<std::string>;

/// What may stand in an element that we read. `for_others` are attributes and children that only other tools read.
struct Grammar {
  Names attributes, children, for_others;
};

/// Source: the URDF XML specification (wiki.ros.org/urdf/XML), pages robot, link, joint, transmission, Gazebo, and
/// urdfdom for versions above 1.0. Other tools: ros2_control; MuJoCo (<mujoco>); Bullet (contact, audio_source); Isaac
/// Gym (dont_collapse); Franka (D, K, mu_coulomb, mu_viscous); MoveIt and files of published robots (self_filter,
/// collision_checking, self_collision_checking).
const std::map<std::string, Grammar, std::less<>>& grammar() {
  static const Names of_end{"link", "xyz", "rpy", "quat_xyzw"};
  static const std::map<std::string, Grammar, std::less<>> table = {
      {"robot",
       {{"name", "version"},
        {"link", "joint", "featherline_constraint", "featherline_rotor"},
        {"material", "transmission", "gazebo", "sensor", "robot", "ros2_control", "mujoco"}}},
      {"link",
       {{"name", "type"},
        {"inertial"},
        {"visual", "collision", "contact", "sensor", "gazebo", "self_filter", "collision_checking",
         "self_collision_checking", "audio_source"}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}, {}}},
      {"origin", {{"xyz", "rpy", "quat_xyzw"}, {}, {}}},
      {"mass", {{"value"}, {}, {}}},
      {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, {}}},
      {"joint",
       {{"name", "type"},
        {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "featherline_joint"},
        {"calibration", "safety_controller", "sensor", "gazebo", "dont_collapse"}}},
      {"parent", {{"link"}, {}, {}}},
      {"child", {{"link"}, {}, {}}},
      {"axis", {{"xyz"}, {}, {}}},
      {"limit", {{"lower", "upper", "velocity", "effort", "acceleration", "deceleration", "jerk"}, {}, {}}},
      {"mimic", {{"joint", "multiplier", "offset"}, {}, {}}},
      {"dynamics", {{"damping", "friction"}, {}, {"D", "K", "mu_coulomb", "mu_viscous"}}},
      {"featherline_joint", {{"type", "pitch", "axis2"}, {}, {}}},
      {"featherline_constraint",
       {{"name", "type", "axis", "radius", "offset", "eliminate", "independent", "branch"},
        {"first", "second", "on", "term"},
        {}}},
      {"term", {{"joint", "coefficient"}, {}, {}}},
      {"featherline_rotor",
       {{"joint", "carrier", "gear_ratio", "inertia", "axis", "mass", "xyz", "transverse_inertia"}, {}, {}}},
      {"first", {of_end, {}, {}}},
      {"second", {of_end, {}, {}}},
      {"on", {of_end, {}, {}}},
  };
  return table;
}

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string tag(std::string_view name) { return '<' + printable(name) + '>'; }

/// An attribute or a child in an element.
struct Word {
  std::string name;
  bool is_element;
  const XMLElement* owner;
  const Grammar* rules;  ///< of the owner

  std::string text() const {
    return (is_element ? tag(name) : "attribute \"" + printable(name) + '"') + " in " + tag(owner->Name());
  }
  /// xmlns:xacro, xml:base and the like say nothing of the robot.
  bool belongs_to_xml() const {
    return !is_element && (name.rfind("xmlns", 0) == 0 || name.rfind("xml:", 0) == 0);
  }
  bool is_understood() const { return contains(is_element ? rules->children : rules->attributes, name); }
  /// Whether dynamics could have meant it. In <robot> stands much that others read, and only what looks like a part of
  /// ours counts. Elements with a prefix count elsewhere: <drake:rotor_inertia>,
  /// or what an unknown macro would have made.
  bool may_matter() const {
    if (owner->Name() != std::string_view("robot")) return is_element || name.find(':') == name.npos;
    const bool is_ours = name.rfind("featherline_", 0) == 0;
    return is_ours || (is_element && !nearest_name(name, rules->children).empty());
  }
};

/// The one element that has children of this name; empty if there are none or several.
std::string only_owner_of(const std::string& child) {
  Names owners;
  for (const auto& [owner, rules] : grammar()) {
    if (contains(rules.children, child)) owners.push_back(owner);
  }
  return owners.size() == 1 ? owners[0] : "";
}

constexpr const char* left_by_xacro =
    "xacro left it, because it did not know this macro: include the file that defines it";

/// What the user can do about a word that nobody knows.
std::string remedy_for(const Word& word) {
  if (word.name.rfind("xacro:", 0) == 0) return left_by_xacro;
  const std::string owner = word.is_element ? only_owner_of(word.name) : "";
  if (!owner.empty()) return "move it into " + tag(owner);
  const Grammar& rules = *word.rules;
  Names all = rules.attributes;
  all.insert(all.end(), rules.children.begin(), rules.children.end());
  const auto shown = [&](const std::string& name) {
    return contains(rules.children, name) ? tag(name) : in_quotes(name);
  };
  const std::string nearest = nearest_name(word.name, all);
  if (!nearest.empty()) {
    const bool is_same_kind = contains(word.is_element ? rules.children : rules.attributes, nearest);
    const char* kind = is_same_kind ? "" : word.is_element ? "the attribute " : "the element ";
    return std::string("did you mean ") + kind + shown(nearest) + "? Correct it";
  }
  std::transform(all.begin(), all.end(), all.begin(), shown);
  return tag(word.owner->Name()) + " has " + join(all) + ": correct it";
}

/// Counts one kind of thing, and keeps the first place where it occurred.
struct Occurrence {
  const XMLElement* first = nullptr;
  int count = 0;
  std::string remedy = {};

  void add(const XMLElement& element) {
    if (count++ == 0) first = &element;
  }
  std::string times() const { return count == 1 ? "once" : std::to_string(count) + " times, first here"; }
};

class Vocabulary {
 public:
  explicit Vocabulary(UnknownWords unknown) : unknown_(unknown) {}

  void visit(const XMLElement& element, const Grammar& rules) {
    for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next())
      judge({attribute->Name(), false, &element, &rules}, element);
    for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (node->ToText() != nullptr && !split_words(node->Value()).empty())
        ignored_["text in " + tag(element.Name())].add(element);
    }
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      judge({child->Name(), true, &element, &rules}, *child);
      if (contains(rules.children, child->Name())) visit(*child, grammar().at(child->Name()));
    }
  }

  void report(ElementReader& reader) const {
    for (const auto& [what, occurrence] : refused_)
      reader.error(*occurrence.first, what + " is unknown (" + occurrence.times() + ')', occurrence.remedy);
    for (const auto& [what, occurrence] : ignored_) {
      reader.warning(
          "unknown-attribute", *occurrence.first,
          "ignored: " + what + ", which URDF does not have (" + occurrence.times() + ')',
          what.rfind("<xacro:", 0) == 0 ? left_by_xacro : "correct its name or its place, or remove it");
    }
    for (const auto& [what, occurrence] : for_others_)
      reader.note(*occurrence.first,
                  what + " is ignored (" + occurrence.times() + "): it is for other tools");
    if (read_.count > 0) {
      reader.note(*read_.first, "<dynamics> is read (" + read_.times() +
                                    "): damping and friction enter only with --joint-dynamics model");
    }
  }

 private:
  /// `place` is the element that holds the attribute, or the child itself.
  void judge(const Word& word, const XMLElement& place) {
    static const Names not_mentioned{"visual", "collision", "material", "robot"};
    if (word.is_element && word.name == "dynamics") read_.add(place);
    if (word.is_element && word.name == "transmission" && has_rotor_inertia(place)) return;
    if (word.belongs_to_xml() || word.is_understood() || contains(not_mentioned, word.name)) return;
    if (contains(word.rules->for_others, word.name))
      return for_others_[word.is_element ? tag(word.name) : word.text()].add(place);
    if (unknown_ == UnknownWords::ignored || !word.may_matter()) return ignored_[word.text()].add(place);
    Occurrence& refused = refused_[word.text()];
    refused.add(place);
    if (refused.count == 1) refused.remedy = remedy_for(word) + ", " + remove_unknown;
  }

  UnknownWords unknown_;
  std::map<std::string, Occurrence> refused_, ignored_, for_others_;  ///< by what they are about
  Occurrence read_;
};

}  // namespace

void report_vocabulary(const XMLElement& robot, UnknownWords unknown, ElementReader& reader) {
  Vocabulary vocabulary(unknown);
  vocabulary.visit(robot, grammar().at("robot"));
  vocabulary.report(reader);
}

}  // namespace featherline::urdf
