#include "model/limb_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::model {

std::vector<std::string> limb_names(const Tree& tree, const LimbGroup& group) {
  std::vector<std::string> names;
  for (const std::vector<int>& limb : group.limbs)
    names.push_back(tree.bodies[static_cast<std::size_t>(limb.front())].joint.name);
  const auto shortest = std::min_element(names.begin(), names.end(), [](const auto& a, const auto& b) {
                          return a.size() < b.size();
                        })->size();
  const auto all_have_same = [&](const auto& letter) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return letter(name) == letter(names.front()); });
  };
  std::size_t head = 0, tail = 0;
  while (head < shortest && all_have_same([&](const std::string& name) { return name[head]; })) ++head;
  while (head + tail < shortest &&
         all_have_same([&](const std::string& name) { return name[name.size() - 1 - tail]; }))
    ++tail;
  const auto is_separator = [](char c) { return c == '_' || c == '-' || c == '/' || c == '.' || c == ' '; };
  // A name is cut at separators only, so that "left" and "right" keep their t.
  const std::string& first = names.front();
  while (head > 0 && !is_separator(first[head - 1])) --head;
  while (tail > 0 && !is_separator(first[first.size() - tail])) --tail;
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(name.substr(head, name.size() - head - tail));
  const bool has_empty =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
  return has_empty ? names : parts;
}

namespace {

/// The type of joint k of the limbs: "revolute". Revolute joints and continuous ones are equal.
std::string type_in_limbs(const Tree& tree, const LimbGroup& group, std::size_t k) {
  std::string text;
  for (const std::vector<int>& limb : group.limbs) {
    const std::string type = name(tree.bodies[static_cast<std::size_t>(limb[k])].joint.type);
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

}  // namespace

std::string describe_limbs(const Tree& tree, const LimbGroup& group,
                           const std::function<std::string(const std::string&)>& shown) {
  std::string names;
  for (const std::string& name : limb_names(tree, group)) names += (names.empty() ? "" : ", ") + shown(name);
  const int joints = group.bodies_of_limb();
  return fmt::format(
      "{}: {} x {} joint{} ({}), on {}", names, group.size(), joints, joints == 1 ? "" : "s",
      types_of_limbs(tree, group),
      group.parent < 0 ? "the world" : shown(tree.bodies[static_cast<std::size_t>(group.parent)].name));
}

}  // namespace featherline::model
