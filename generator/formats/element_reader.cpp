#include "formats/format.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::formats {
namespace {

std::string with_name(const XMLElement& element) {
  const char* name = element.Attribute("name");
  return printable(element.Name()) + (name == nullptr ? "" : ' ' + in_quotes(name));
}

/// Names from the root down to `element`, e.g. `robot/joint "elbow"/axis`.
std::string path_of(const XMLElement& element) {
  const XMLElement* parent = element.Parent()->ToElement();
  return parent == nullptr ? printable(element.Name()) : path_of(*parent) + '/' + with_name(element);
}

}  // namespace

std::string describe(const XMLElement& element) {
  const std::string tag = '<' + printable(element.Name()) + '>';
  for (const tinyxml2::XMLNode* node = &element; node != nullptr; node = node->Parent()) {
    const XMLElement* ancestor = node->ToElement();
    if (ancestor == nullptr || ancestor->Attribute("name") == nullptr) continue;
    return (ancestor == &element ? "" : tag + " of ") + with_name(*ancestor);
  }
  return tag;
}

Location ElementReader::where(const XMLElement& element, int line) const {
  return {file_, line, path_of(element)};
}

void ElementReader::error(const XMLElement& element, std::string message, std::string remedy) {
  diagnostics_.error(where(element, element.GetLineNum()), std::move(message), std::move(remedy));
}

void ElementReader::warning(Finding finding, const XMLElement& element, std::string message,
                            std::string remedy) {
  diagnostics_.warning(finding, where(element, element.GetLineNum()), std::move(message), std::move(remedy));
}

void ElementReader::note(const XMLElement& element, std::string message) {
  diagnostics_.note(where(element, element.GetLineNum()), std::move(message));
}

const XMLElement* ElementReader::only_child(const XMLElement& parent, const char* name) {
  const XMLElement* first = parent.FirstChildElement(name);
  if (first == nullptr) return nullptr;
  if (const XMLElement* second = first->NextSiblingElement(name)) {
    warning("second-element", *second, "ignored: a second <" + std::string(name) + "> in " + describe(parent),
            "keep one; the first counts, here and in other tools");
  }
  return first;
}

bool ElementReader::has(const XMLElement& element, const char* attribute, std::string remedy) {
  if (element.FindAttribute(attribute) != nullptr) return true;
  error(element, describe(element) + " has no attribute \"" + attribute + '"', std::move(remedy));
  return false;
}

std::optional<std::string> ElementReader::name(const XMLElement& element, const char* attribute) {
  if (!has(element, attribute)) return std::nullopt;
  const std::string text = element.Attribute(attribute);
  if (!split_words(text).empty()) return text;
  error(element, "attribute \"" + std::string(attribute) + "\" of " + describe(element) + " is empty",
        "write a name");
  return std::nullopt;
}

ParsedNumber parse_plausible(std::string_view word, double largest) {
  ParsedNumber number = parse_number(word);
  if (number.problem.empty() && std::abs(number.value) > largest)
    number = {0.0, in_quotes(word) + " is larger than " + to_text(largest), "write SI units"};
  return number;
}

bool is_xacro_expression(std::string_view text) {
  return text.find("${") != text.npos || text.find("$(") != text.npos;
}

template <int size>
std::optional<Eigen::Matrix<double, size, 1>> ElementReader::numbers(const XMLElement& element,
                                                                     const char* name, double largest) {
  const tinyxml2::XMLAttribute* attribute = element.FindAttribute(name);
  if (attribute == nullptr) return std::nullopt;
  const auto place = [&] { return where(element, attribute->GetLineNum()); };
  const auto subject = [&] { return std::string(name) + " of " + describe(element); };
  if (is_xacro_expression(attribute->Value())) {
    diagnostics_.error(place(), subject() + ": " + in_quotes(attribute->Value()) + " is a xacro expression",
                       "run xacro on the file first");
    return std::nullopt;
  }
  auto words = split_words(attribute->Value());
  const auto has_comma = [](std::string_view word) { return word.ends_with(','); };
  if (size > 1 && words.size() == size && !has_comma(words.back()) &&
      std::all_of(words.begin(), words.end() - 1, has_comma)) {
    diagnostics_.warning("commas", place(), subject() + " has commas between its numbers",
                         "write spaces alone; other tools may refuse the file");
    for (std::string_view& word : words) word = word.substr(0, word.find_last_not_of(',') + 1);
  }
  if (words.size() != size) {
    const char* in_words = size == 3 ? "three" : "four";
    diagnostics_.error(
        place(),
        fmt::format("{} holds {} words instead of {} number{}", subject(), words.size(), size,
                    size == 1 ? "" : "s"),
        size == 1 ? "write one number" : fmt::format("write {} numbers with spaces between them", in_words));
    return std::nullopt;
  }
  std::optional<Eigen::Matrix<double, size, 1>> values(std::in_place);
  for (std::size_t i = 0; i < size; ++i) {
    const ParsedNumber number = parse_plausible(words[i], largest);
    if (!number.problem.empty()) {
      diagnostics_.error(place(), subject() + ": " + number.problem, number.remedy);
      values.reset();
    }
    if (values) (*values)[static_cast<Eigen::Index>(i)] = number.value;
  }
  return values;
}

template std::optional<Eigen::Vector3d> ElementReader::numbers<3>(const XMLElement&, const char*, double);
template std::optional<Eigen::Vector4d> ElementReader::numbers<4>(const XMLElement&, const char*, double);

std::optional<double> ElementReader::number(const XMLElement& element, const char* name, double largest) {
  const auto found = numbers<1>(element, name, largest);
  return found ? std::optional(found->value()) : std::nullopt;
}

std::optional<double> ElementReader::required_number(const XMLElement& element, const char* attribute) {
  return has(element, attribute) ? number(element, attribute) : std::nullopt;
}

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
