#include "model/overview.hpp"

#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace featherline::model {

std::vector<std::vector<const Link*>> links_by_body(const Tree& tree) {
  std::vector<std::vector<const Link*>> links(tree.bodies.size() + 1);
  for (const Link& link : tree.links) {
    const std::size_t body = link.body < 0 ? tree.bodies.size() : index(link.body);
    const bool own = link.body >= 0 && link.name == tree.bodies[body].name;
    links[body].insert(own ? links[body].begin() : links[body].end(), &link);
  }
  return links;
}

std::vector<TreeLine> walk(const Tree& tree) {
  const std::vector<std::vector<int>> children = children_by_parent(tree);
  std::vector<TreeLine> lines, open{{-1, -1}};  // a stack of our own: chains of 100,000 links exist
  while (!open.empty()) {
    const TreeLine line = open.back();
    open.pop_back();
    if (line.body >= 0) lines.push_back(line);
    const std::vector<int>& below = children[index(line.body + 1)];
    for (std::size_t k = below.size(); k-- > 0;) open.push_back({below[k], line.depth + 1});
  }
  return lines;
}

Masses sum_masses(const Tree& tree) {
  Masses sum;
  for (const Link& link : tree.links) (link.body < 0 ? sum.welded_to_world : sum.moving) += link.mass;
  return sum;
}

const Joint* free_joint(const Tree& tree) {
  const int root = tree.floating_base && tree.bodies.front().inertia.mass == 0.0 ? 0 : -1;
  const auto found = std::find_if(
      tree.bodies.begin() + (tree.floating_base ? 1 : 0), tree.bodies.end(),
      [&](const Body& body) { return body.parent == root && body.joint.type == JointType::floating; });
  return found == tree.bodies.end() ? nullptr : &found->joint;
}

std::string coordinate_axis(const Vector3& axis) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(axis[k]) > 1.0 - 1e-9) return std::string(axis[k] < 0.0 ? "-" : "") + "xyz"[k];
  }
  return {};
}

std::string describe_lock(const Tree& tree, const Link& link,
                          const std::function<std::string(const std::string&)>& print) {
  if (link.lock < 0) return {};
  const LockedJoint& joint = tree.locked[index(link.lock)];
  return fmt::format("{} {}, locked at {:.6g}", name(joint.type), print(joint.name),
                     fmt::join(joint.position, " "));
}

std::string index_range(int first, int count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + ".." + std::to_string(first + count - 1);
}

std::vector<std::string> limb_names(const Tree& tree, const LimbGroup& group) {
  std::vector<std::string> names = each(
      group.limbs, [&](const std::vector<int>& limb) { return tree.bodies[index(limb.front())].joint.name; });
  const std::string_view first = names.front();
  std::size_t head = first.size(), tail = head, shortest = head;
  for (const std::string& name : names) {
    while (!name.starts_with(first.substr(0, head))) --head;
    while (!name.ends_with(first.substr(first.size() - tail))) --tail;
    shortest = std::min(shortest, name.size());
  }
  tail = std::min(tail, shortest - head);
  const auto is_separator = [](char c) { return c == '_' || c == '-' || c == '/' || c == '.' || c == ' '; };
  // A name is cut at separators only, so that "left" and "right" keep their t.
  while (head > 0 && !is_separator(first[head - 1])) --head;
  while (tail > 0 && !is_separator(first[first.size() - tail])) --tail;
  std::vector<std::string> parts =
      each(names, [&](const std::string& name) { return name.substr(head, name.size() - head - tail); });
  const bool has_empty = std::ranges::any_of(parts, [](const auto& part) { return part.empty(); });
  return has_empty ? names : parts;
}

namespace {

/// The type of joint k of the limbs: "revolute". Revolute joints and continuous ones are equal.
std::string type_in_limbs(const Tree& tree, const LimbGroup& group, std::size_t k) {
  std::string text;
  for (const std::vector<int>& limb : group.limbs) {
    const std::string type = name(tree.bodies[index(limb[k])].joint.type);
    if (text.find(type) == std::string::npos) text += (text.empty() ? "" : " or ") + type;
  }
  return text;
}

/// "3 revolute, prismatic"
std::string types_of_limbs(const Tree& tree, const LimbGroup& group) {
  std::string text;
  const std::size_t count = group.limbs.front().size();
  for (std::size_t first = 0, next = 0; first < count; first = next) {
    const std::string type = type_in_limbs(tree, group, first);
    while (next < count && type_in_limbs(tree, group, next) == type) ++next;
    text += (text.empty() ? "" : ", ") + (next - first > 1 ? fmt::format("{} {}", next - first, type) : type);
  }
  return text;
}

using NamedNumbers = std::vector<std::pair<const char*, double>>;

template <class Part>
NamedNumbers named_dynamics(const Part& part) {
  NamedNumbers found{{"armature", part.armature},
                     {"damping", part.damping},
                     {"friction", part.friction},
                     {"stiffness", part.stiffness}};
  std::erase_if(found, [](const auto& entry) { return entry.second == 0.0; });
  if (part.stiffness != 0.0) found.emplace_back("rest", part.rest);
  return found;
}

std::string listed(const NamedNumbers& numbers) {
  std::string text;
  for (const auto& [name, value] : numbers)
    text += fmt::format("{}{} {:.6g}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace

std::string describe_limbs(const Tree& tree, const LimbGroup& group,
                           const std::function<std::string(const std::string&)>& shown) {
  std::string names;
  for (const std::string& name : limb_names(tree, group)) names += (names.empty() ? "" : ", ") + shown(name);
  const int joints = group.bodies_of_limb();
  return fmt::format("{}: {} x {} joint{} ({}), on {}", names, group.size(), joints, joints == 1 ? "" : "s",
                     types_of_limbs(tree, group),
                     group.parent < 0 ? "the world" : shown(tree.bodies[index(group.parent)].name));
}

NamedNumbers dynamics_of(const Joint& joint) {
  NamedNumbers found = named_dynamics(joint);
  const bool rests_in_pose = joint.row().quaternion() >= 0 && joint.stiffness != 0.0;
  if (rests_in_pose) found.pop_back();  // "rest"
  return found;
}
NamedNumbers dynamics_of(const Tendon& tendon) { return named_dynamics(tendon); }

std::string describe_tendon(const Tree& tree, const Tendon& tendon,
                            const std::function<std::string(const std::string&)>& shown) {
  std::string text;
  for (const TendonEnd& end : tendon.ends) {
    const char* sign = text.empty()            ? (end.coefficient < 0.0 ? "-" : "")
                       : end.coefficient < 0.0 ? " - "
                                               : " + ";
    text += fmt::format("{}{:.6g} {}", sign, std::abs(end.coefficient),
                        shown(tree.bodies[index(body_of(tree, end))].joint.name));
  }
  return text + ": " + listed(dynamics_of(tendon));
}

std::string describe_drive(const Joint& joint) {
  auto found = dynamics_of(joint);
  const Limits& limits = joint.limits;
  for (const auto& limit : {std::pair{"acceleration", limits.acceleration},
                            {"deceleration", limits.deceleration},
                            {"jerk", limits.jerk}}) {
    if (std::isfinite(limit.second)) found.push_back(limit);
  }
  return listed(found);
}

std::string describe_rotors(const Tree& tree, int body,
                            const std::function<std::string(const std::string&)>& shown) {
  std::string text;
  for (const Rotor& rotor : tree.rotors) {
    if (rotor.joint != body) continue;
    text += fmt::format("{}rotor in {}, gear {:.6g}, inertia {:.6g}", text.empty() ? "" : "; ",
                        rotor.carrier < 0 ? "the world" : shown(tree.bodies[index(rotor.carrier)].name),
                        rotor.gear_ratio, rotor.inertia);
  }
  return text;
}

}  // namespace featherline::model
