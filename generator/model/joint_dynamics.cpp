#include "model/build_tree.hpp"

#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace featherline::model {
namespace {

/// Whether there is such a joint, or all are meant. The lines of locked joints have no effect.
bool set(UserTree& tree, const std::string& name, const std::array<double, 5>& values) {
  const auto is_it = [&](const LockedJoint& joint) { return joint.name == name; };
  bool found = name == "*" || std::ranges::any_of(tree.locked, is_it);
  for (Body& body : tree.bodies) {
    if (!body.joint.row().can_be_driven() || (name != "*" && body.joint.name != name)) continue;
    body.joint.damping = values[0];
    body.joint.friction = values[1];
    body.joint.armature = values[2];
    if (body.joint.row().moves_on_axes() || name != "*") body.joint.stiffness = values[3];
    body.joint.rest = values[4] - body.joint.offset;
    found = true;
  }
  return found;
}

void read_line(UserTree& tree, const std::vector<std::string>& words, const Location& here,
               Diagnostics& findings) {
  constexpr const char* layout = "write JOINT DAMPING FRICTION ARMATURE, or add STIFFNESS REST";
  if (words.size() != 4 && words.size() != 6)
    return findings.error(here, std::to_string(words.size()) + " words where four or six belong", layout);
  std::array<double, 5> values{};
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    const std::optional<double> value = finite_number(words[k + 1]);
    const bool may_be_negative = k == 4;
    if (!value || (*value < 0.0 && !may_be_negative))
      return findings.error(
          here,
          in_quotes(words[k + 1]) + " is not a finite number" + (may_be_negative ? "" : " of at least zero"),
          layout);
    values[k] = *value;
  }
  const auto is_ball = [&](const Body& body) {
    return body.joint.name == words.front() && body.joint.type == JointType::spherical;
  };
  if (values[4] != 0.0 && std::ranges::any_of(tree.bodies, is_ball))
    return findings.error(here, "the spring of a ball is at rest where the ball is not turned",
                          "write 0 for REST");
  if (!set(tree, words.front(), values))
    findings.error(here,
                   "there is no joint " + in_quotes(words.front()) + " that turns about or slides along axes",
                   "name a moving joint as `featherline inspect` lists them, or * for all");
}

}  // namespace

void set_joint_dynamics(UserTree& tree, const std::string& text, const std::string& file,
                        Diagnostics& findings) {
  std::istringstream lines(text);
  int line = 0;
  for (std::string content; std::getline(lines, content);) {
    ++line;
    std::istringstream stream(content.substr(0, content.find('#')));
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty()) read_line(tree, words, {file, line, ""}, findings);
  }
}

}  // namespace featherline::model
