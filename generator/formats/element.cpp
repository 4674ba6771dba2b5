#include "formats/element.hpp"

#include "support/text.hpp"

#include <fmt/format.h>

namespace featherline::formats {

const XMLElement* open(const std::filesystem::path& path, const Element& at, std::deque<File>& files) {
  std::string problem;
  if (const auto text = read_text(path.string(), problem)) {
    File& file = files.emplace_back(ElementReader(path.string(), at.reader->diagnostics()));
    return parse(*text, file.xml, file.reader);
  }
  at.error("file " + in_quotes(path.string()) + ' ' + problem, "correct the path");
  return nullptr;
}

std::optional<std::vector<double>> numbers_in(const char* text, const Element& element,
                                              const std::string& subject, std::size_t least, std::size_t most,
                                              double largest) {
  const auto words = split_words(text);
  if (words.size() < least || words.size() > most) {
    const std::string range = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
    element.error(fmt::format("{} holds {} words instead of {}", subject, words.size(), range),
                  "write numbers with spaces between them");
    return std::nullopt;
  }
  std::vector<double> values;
  for (const std::string_view word : words) {
    const ParsedNumber number = parse_plausible(word, largest);
    if (!number.problem.empty()) {
      element.error(subject + ": " + number.problem, number.remedy);
      return std::nullopt;
    }
    values.push_back(number.value);
  }
  return values;
}

Eigen::Quaterniond unit_quaternion(const std::vector<double>& wxyz, const Element& element) {
  const Eigen::Vector4d q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  const double length = q.stableNorm();
  if (!(length > 0.0)) {
    element.error("a quaternion of " + describe(*element.xml) + " is zero", "write a unit quaternion");
    return Eigen::Quaterniond::Identity();
  }
  const Eigen::Vector4d u = q / length;
  return {u[0], u[1], u[2], u[3]};
}

Origin Pose::origin(int line) const {
  Origin origin;
  origin.xyz = p;
  if (!q.vec().isZero(0.0)) origin.quat_xyzw = {q.x(), q.y(), q.z(), q.w()};
  origin.line = line;
  return origin;
}

std::string Names::unique(std::string name) {
  while (!taken_.insert(name).second) name += '_';
  return name;
}

Joint fixed_joint(std::string name, std::string parent, const Pose& pose, const Link& link) {
  Joint joint;
  joint.name = std::move(name);
  joint.line = joint.parent_line = joint.child_line = link.line;
  joint.parent = std::move(parent);
  joint.child = link.name;
  joint.origin = pose.origin(link.line);
  joint.file = link.file;
  return joint;
}

}  // namespace featherline::formats
