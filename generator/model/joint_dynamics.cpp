#include "model/joint_dynamics.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

namespace featherline::model {
namespace {

constexpr const char* layout = "write JOINT DAMPING FRICTION ARMATURE";

std::optional<double> finite_non_negative(const std::string& word) {
  double value = 0.0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value) || value < 0.0) return std::nullopt;
  return value;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class DriveReader {
 public:
  DriveReader(UserTree& tree, const std::string& file, Diagnostics& findings)
      : tree_(tree), file_(file), findings_(findings) {}

  void read_line(const std::string& text, int line) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) return;
    const Location here{file_, line, ""};
    if (words.size() != 4) {
      findings_.error(here, std::to_string(words.size()) + " words where four belong", layout);
      return;
    }
    std::array<double, 3> values{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::optional<double> value = finite_non_negative(words[k + 1]);
      if (!value) {
        findings_.error(here, in_quotes(words[k + 1]) + " is not a finite number of at least zero", layout);
        return;
      }
      values[k] = *value;
    }
    if (!set(words.front(), values)) {
      findings_.error(
          here, "there is no joint " + in_quotes(words.front()) + " that turns about or slides along axes",
          "name a moving joint as `featherline inspect` lists them, or * for all");
    }
  }

 private:
  bool set(const std::string& name, const std::array<double, 3>& values) {
    const auto is_it = [&](const LockedJoint& joint) { return joint.name == name; };
    // The lines of locked joints have no effect.
    bool found = name == "*" || std::any_of(tree_.locked.begin(), tree_.locked.end(), is_it);
    for (Body& body : tree_.bodies) {
      if (!body.joint.row().moves_on_axes() || (name != "*" && body.joint.name != name)) continue;
      body.joint.damping = values[0];
      body.joint.friction = values[1];
      body.joint.armature = values[2];
      found = true;
    }
    return found;
  }

  UserTree& tree_;
  const std::string& file_;
  Diagnostics& findings_;
};

}  // namespace

void set_joint_dynamics(UserTree& tree, const std::string& text, const std::string& file,
                        Diagnostics& findings) {
  DriveReader reader(tree, file, findings);
  std::istringstream lines(text);
  int line = 0;
  for (std::string content; std::getline(lines, content);) reader.read_line(content, ++line);
}

}  // namespace featherline::model
