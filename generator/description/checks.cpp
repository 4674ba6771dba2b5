#include "description/checks.hpp"

#include "support/text.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <unordered_map>

namespace featherline::description {
namespace {

constexpr std::size_t long_name = 255;

/// Says what makes a name unfit for a line of text. Returns nothing if the name is fit.
const char* defect(std::string_view name) {
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length == 0) return "bytes that are not UTF-8";
    if (is_control(name.substr(0, length))) return "an invisible control character";
    name.remove_prefix(length);
  }
  return nullptr;
}

void check_name(const std::string& name, const Location& where, const char* kind, Diagnostics& diagnostics) {
  if (name.empty()) return;  // the reader has reported this
  const std::string subject = std::string("the name of ") + kind + ' ' + in_quotes(name);
  if (const char* what = defect(name)) {
    diagnostics.error(where, subject + " contains " + what, "write the name in visible UTF-8 characters");
  } else if (name.starts_with(' ') || name.ends_with(' ')) {
    diagnostics.warning("spaces-in-name", where, subject + " begins or ends with a space",
                        "remove the space here and where it is used");
  } else if (name.size() > long_name) {
    diagnostics.warning("long-name", where,
                        subject + " is longer than " + std::to_string(long_name) + " bytes",
                        "choose a shorter name; compilers and file systems have limits");
  }
}

template <class Part>
void check_parts(const Description& description, const std::vector<Part>& parts, const char* kind,
                 Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, int> first_line;
  for (const Part& part : parts) {
    check_name(part.name, at(description, part, part.line), kind, diagnostics);
    const auto [first, is_new] = first_line.emplace(part.name, part.line);
    if (is_new || part.name.empty()) continue;
    diagnostics.error(at(description, part, part.line),
                      fmt::format("a second {} named {} (the first is on line {})", kind,
                                  in_quotes(part.name), first->second),
                      "rename one of them");
  }
}

/// Checks that names are unique and fit for messages and manifests.
void check_names(const Description& description, Diagnostics& diagnostics) {
  check_name(description.name, {description.file, description.line, "robot"}, "robot", diagnostics);
  check_parts(description, description.links, "link", diagnostics);
  check_parts(description, description.joints, "joint", diagnostics);
  check_parts(description, description.constraints, "constraint", diagnostics);
}

constexpr int none = -1;

/// The links as indices, each with the joint that carries it.
class Structure {
 public:
  Structure(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics), carrier_(description.links.size(), none) {
    for (std::size_t i = 0; i < description.links.size(); ++i) {
      const std::string& name = description.links[i].name;
      unnamed_link_ = unnamed_link_ || name.empty();
      ambiguous_ = !link_of_name_.emplace(name, static_cast<int>(i)).second || ambiguous_;
    }
    parent_of_joint_.reserve(description.joints.size());
    for (const Joint& joint : description.joints) connect(joint);
  }

  void check_roots() const {
    std::vector<std::string> roots;
    const Link* second = nullptr;
    for (std::size_t i = 0; i < carrier_.size(); ++i) {
      const Link& link = description_.links[i];
      if (carrier_[i] != none) continue;
      roots.push_back(in_quotes(link.name) + " (line " + std::to_string(link.line) + ')');
      if (roots.size() == 2) second = &link;
    }
    if (ambiguous_ || second == nullptr) return;
    diagnostics_.error(at(description_, *second, second->line),
                       std::to_string(roots.size()) + " links have no parent: " + first_of(roots, 5),
                       "connect all but one of them with joints");
  }

  /// Looks for loops. It follows the carriers upwards from every link and visits each link once.
  void check_loops() const {
    std::vector<int> visited_from(carrier_.size(), none);
    for (int start = 0; start < static_cast<int>(carrier_.size()); ++start) {
      int link = start;
      while (link != none && visited_from[index(link)] == none) {
        visited_from[index(link)] = start;
        link = parent(link);
      }
      if (link != none && visited_from[index(link)] == start) report_loop(link);
    }
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int parent(int link) const {
    const int joint = carrier_[index(link)];
    return joint == none ? none : parent_of_joint_[index(joint)];
  }

  int find_end(const Joint& joint, const std::string& name, const char* role, int line) {
    const auto found = link_of_name_.find(name);
    if (found != link_of_name_.end() && !name.empty()) return found->second;
    ambiguous_ = true;
    if (name.empty() || unnamed_link_) return none;  // the reader has reported the cause
    diagnostics_.error(at(description_, joint, line, std::string("/") + role),
                       fmt::format("the {} of joint {} is link {}, which does not exist", role,
                                   in_quotes(joint.name), in_quotes(name)),
                       "add the link or correct the name");
    return none;
  }

  void connect(const Joint& joint) {
    const int parent = find_end(joint, joint.parent, "parent", joint.parent_line);
    const int child = find_end(joint, joint.child, "child", joint.child_line);
    parent_of_joint_.push_back(parent);
    if (child == none) return;
    int& carrier = carrier_[index(child)];
    if (carrier == none) {
      carrier = static_cast<int>(parent_of_joint_.size()) - 1;
      return;
    }
    const Joint& first = description_.joints[index(carrier)];
    diagnostics_.error(
        at(description_, joint, joint.child_line, "/child"),
        fmt::format("link {} has a second parent: joint {} after joint {} (line {})", in_quotes(joint.child),
                    in_quotes(joint.name), in_quotes(first.name), first.line),
        "remove one of the joints, and close the loop with <featherline_constraint> instead");
  }

  void report_loop(int start) const {
    if (parent(start) == start) return report_self_loop(start);
    std::vector<int> loop{start};
    for (int link = parent(start); link != start; link = parent(link)) loop.push_back(link);
    std::ranges::reverse(loop);
    const auto first = std::ranges::min_element(loop);
    std::rotate(loop.begin(), first, loop.end());
    std::vector<std::string> names =
        each(loop, [&](const int link) { return in_quotes(description_.links[index(link)].name); });
    const Joint& joint = description_.joints[index(carrier_[index(loop[0])])];
    diagnostics_.error(at(description_, joint, joint.line),
                       "the joints form a loop: " + first_of(names, 6, " -> ") + " -> " + names.front(),
                       "remove one of its joints; a URDF is a tree");
  }

  void report_self_loop(int link) const {
    const Joint& joint = description_.joints[index(carrier_[index(link)])];
    diagnostics_.error(
        at(description_, joint, joint.child_line, "/child"),
        "joint " + in_quotes(joint.name) + " joins link " + in_quotes(joint.child) + " to itself",
        "name two different links");
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, int> link_of_name_;
  std::vector<int> carrier_;          ///< the joint above each link, or none
  std::vector<int> parent_of_joint_;  ///< the parent link of each joint, or none if it is unknown
  bool unnamed_link_ = false;
  bool ambiguous_ = false;  ///< names were wrong, so a link that looks like a root may not be one
};

/// Checks that the joints connect the links to one tree: ends are known links, each link has one parent, there is one
/// root, and there is no loop.
void check_structure(const Description& description, Diagnostics& diagnostics) {
  if (description.links.empty()) {
    diagnostics.error({description.file, description.line, "robot"}, "the robot has no link",
                      "add at least one <link name=\"...\">");
    return;
  }
  const Structure structure(description, diagnostics);
  structure.check_roots();
  structure.check_loops();
}

class JointCheck {
 public:
  JointCheck(const Description& description, const Joint& joint, Diagnostics& diagnostics)
      : description_(description),
        joint_(joint),
        row_(model::row_of(joint.type)),
        diagnostics_(diagnostics),
        subject_("joint " + in_quotes(joint.name)) {}

  void check_limits() {
    const bool bounded = row_.position_limits == model::PositionLimits::required;
    if (!joint_.limits && bounded) {
      warn("missing-limit", joint_.line, "", subject_ + " (" + row_.name() + ") has no <limit>",
           "add <limit lower=... upper=... velocity=... effort=.../>; it counts as unlimited");
    }
    if (!joint_.limits) return;
    if (bounded) check_presence(*joint_.limits);
    check_order(*joint_.limits);
    check_sign(joint_.limits->velocity, "velocity limit", joint_.limits->line, "/limit");
    check_sign(joint_.limits->effort, "effort limit", joint_.limits->line, "/limit");
    check_sign(joint_.limits->acceleration.value_or(0.0), "acceleration limit", joint_.limits->line,
               "/limit");
    check_sign(joint_.limits->deceleration.value_or(0.0), "deceleration limit", joint_.limits->line,
               "/limit");
    check_sign(joint_.limits->jerk.value_or(0.0), "jerk limit", joint_.limits->line, "/limit");
  }

  void check_dynamics() {
    if (!joint_.dynamics) return;
    check_sign(joint_.dynamics->damping, "damping", joint_.dynamics->line, "/dynamics");
    check_sign(joint_.dynamics->friction, "friction", joint_.dynamics->line, "/dynamics");
    check_sign(joint_.dynamics->armature, "armature", joint_.dynamics->line, "/dynamics");
    check_sign(joint_.dynamics->stiffness, "stiffness", joint_.dynamics->line, "/dynamics");
  }

  void check_axes() {
    if (row_.needs(model::Direction::axis) && joint_.axis_line == 0) {
      warn("missing-axis", joint_.line, "", subject_ + " has no <axis> and gets 1 0 0, as URDF has it",
           "write the axis");
    }
    if (row_.needs(model::Direction::axis2) && joint_.axis.cross(joint_.axis2).norm() < 1e-6) {
      diagnostics_.error(at(description_, joint_, joint_.extension_line, "/featherline_joint"),
                         std::string("the two axes of ") + row_.name() + ' ' + subject_ + " are parallel",
                         "choose two different axes");
    }
  }

 private:
  void warn(Finding finding, int line, const char* below, std::string message, std::string remedy) {
    diagnostics_.warning(finding, at(description_, joint_, line, below), std::move(message),
                         std::move(remedy));
  }

  void check_presence(const Limits& limits) {
    if (limits.lower && limits.upper) return;
    const char* missing = limits.lower   ? "no upper limit"
                          : limits.upper ? "no lower limit"
                                         : "no lower and upper limit";
    warn("missing-limit", limits.line, "/limit", subject_ + " (" + row_.name() + ") has " + missing,
         "add it; it counts as unlimited, while other tools take 0");
  }

  void check_order(const Limits& limits) {
    if (!limits.lower || !limits.upper) return;
    const bool is_pointless = row_.position_limits == model::PositionLimits::without_effect;
    const std::string lower = to_text(*limits.lower), upper = to_text(*limits.upper);
    if (*limits.lower > *limits.upper) {
      warn("limits-exchanged", limits.line, "/limit",
           "the lower limit of " + subject_ + " is above its upper limit: " + lower + " and " + upper,
           "exchange or correct them; they are kept as written");
    } else if (is_pointless && *limits.lower < *limits.upper) {
      warn("useless-limit", limits.line, "/limit",
           "the position limits of " + subject_ + " (" + row_.name() + ") have no effect",
           "remove them, or make the joint revolute");
    } else if (row_.nv() == 1 && !is_pointless && *limits.lower == *limits.upper) {
      warn("limits-equal", limits.line, "/limit",
           "the limits of " + subject_ + " leave no motion: both are " + lower,
           "correct them, or make the joint fixed");
    }
  }

  void check_sign(double value, const char* what, int line, const char* below) {
    if (value >= 0.0) return;
    warn("negative-value", line, below,
         std::string("the ") + what + " of " + subject_ + " is negative: " + to_text(value),
         "write a value of at least 0; it is kept as written");
  }

  const Description& description_;
  const Joint& joint_;
  const model::JointRow& row_;
  Diagnostics& diagnostics_;
  std::string subject_;
};

/// Checks that limits, axes and friction make sense.
void check_joints(const Description& description, Diagnostics& diagnostics) {
  for (const Joint& joint : description.joints) {
    JointCheck check(description, joint, diagnostics);
    check.check_limits();
    check.check_dynamics();
    check.check_axes();
  }
}

/// What to do about a name that none of the parts has.
template <class Part>
std::string remedy_for_name(const std::string& name, const std::vector<Part>& parts) {
  std::vector<std::string> names = each(parts, &Part::name);
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? std::string("add the ") + Part::element + " or correct the name"
                         : "correct the name; there is " + in_quotes(nearest);
}

template <class Part>
const Part* find_part(const std::vector<Part>& parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &Part::name);
  return found == parts.end() ? nullptr : &*found;
}

/// Checks that rotors have a joint with one coordinate, and a link that carries them.
void check_rotors(const Description& description, Diagnostics& diagnostics) {
  for (const Rotor& rotor : description.rotors) {
    if (rotor.name.empty()) continue;
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      diagnostics.error(at(description, rotor, rotor.line),
                        "the rotor of joint " + in_quotes(rotor.name) + what, remedy);
    };
    const Joint* joint = find_part(description.joints, rotor.name);
    if (joint == nullptr) {
      refuse(" turns with a joint that does not exist", remedy_for_name(rotor.name, description.joints));
    } else if (joint->type == JointType::fixed) {
      refuse(" never turns, because the joint is fixed", "name a joint that moves, or remove the rotor");
    } else if (const int nv = model::row_of(joint->type).nv(); nv != 1) {
      refuse(fmt::format(" does not know with which of its {} coordinates it turns", nv),
             "rotors are for joints with one coordinate; model the joint as several, or give it armature");
    }
    if (!rotor.carrier.empty() && find_part(description.links, rotor.carrier) == nullptr)
      refuse(" is carried by link " + in_quotes(rotor.carrier) + ", which does not exist",
             remedy_for_name(rotor.carrier, description.links));
  }
}

/// Checks that the ends of constraints are links of the robot, and two different ones.
void check_constraints(const Description& description, Diagnostics& diagnostics) {
  for (const Constraint& constraint : description.constraints) {
    const std::string subject = "constraint " + in_quotes(constraint.name);
    for (const ConstraintEnd& end : constraint.ends) {
      if (end.link.empty() || find_part(description.links, end.link) != nullptr) continue;
      diagnostics.error(at(description, constraint, end.line),
                        subject + " is on link " + in_quotes(end.link) + ", which does not exist",
                        remedy_for_name(end.link, description.links));
    }
    const bool is_loop = constraint.ends.size() == 2;
    if (is_loop && !constraint.ends[0].link.empty() && constraint.ends[0].link == constraint.ends[1].link)
      diagnostics.error(at(description, constraint, constraint.ends[1].line),
                        "both ends of " + subject + " are on link " + in_quotes(constraint.ends[0].link),
                        "name two links that move relative to each other");
  }
}

}  // namespace

std::string first_of(std::vector<std::string> words, std::size_t most, std::string_view separator) {
  if (words.size() > most) {
    words.resize(most);
    words.emplace_back("...");
  }
  return join(words, separator);
}

void check(const Description& description, Diagnostics& diagnostics) {
  check_names(description, diagnostics);
  check_structure(description, diagnostics);
  check_joints(description, diagnostics);
  check_constraints(description, diagnostics);
  check_rotors(description, diagnostics);
  check_units(description, diagnostics);
}

}  // namespace featherline::description
