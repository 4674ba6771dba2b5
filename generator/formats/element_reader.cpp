#include "formats/element_reader.hpp"

#include "description/number.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::formats {
namespace {

std::string tag(const XMLElement& element) { return '<' + printable(element.Name()) + '>'; }

}  // namespace

std::string describe(const XMLElement& element) {
  std::string text = tag(element);
  for (const tinyxml2::XMLNode* node = &element; node != nullptr; node = node->Parent()) {
    const XMLElement* ancestor = node->ToElement();
    const char* name = ancestor == nullptr ? nullptr : ancestor->Attribute("name");
    if (name == nullptr) continue;
    if (ancestor == &element) return printable(element.Name()) + ' ' + in_quotes(name);
    return text + " of " + printable(ancestor->Name()) + ' ' + in_quotes(name);
  }
  return text;
}

std::string path_of(const XMLElement& element) {
  std::string path;
  for (const tinyxml2::XMLNode* node = &element; node != nullptr; node = node->Parent()) {
    const XMLElement* ancestor = node->ToElement();
    if (ancestor == nullptr) break;
    std::string step = printable(ancestor->Name());
    const char* name = ancestor->Attribute("name");
    if (name != nullptr && ancestor != ancestor->GetDocument()->RootElement()) step += ' ' + in_quotes(name);
    if (!path.empty()) path.insert(0, "/");
    path.insert(0, step);
  }
  return path;
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

std::optional<std::string> ElementReader::name(const XMLElement& element, const char* attribute) {
  const char* text = element.Attribute(attribute);
  if (text == nullptr) {
    error(element, describe(element) + " has no attribute \"" + attribute + '"', "add it");
    return std::nullopt;
  }
  if (split_words(text).empty()) {
    error(element, "attribute \"" + std::string(attribute) + "\" of " + describe(element) + " is empty",
          "write a name");
    return std::nullopt;
  }
  return text;
}

bool ElementReader::is_expression(const XMLElement& element, const tinyxml2::XMLAttribute& attribute) {
  const std::string_view text = attribute.Value();
  if (text.find("${") == text.npos && text.find("$(") == text.npos) return false;
  diagnostics_.error(where(element, attribute.GetLineNum()),
                     std::string(attribute.Name()) + " of " + describe(element) + ": " + in_quotes(text) +
                         " is a xacro expression",
                     "run xacro on the file first");
  return true;
}

std::optional<double> ElementReader::parse(const XMLElement& element, const tinyxml2::XMLAttribute& attribute,
                                           std::string_view text, double largest) {
  ParsedNumber number = parse_number(text);
  if (number.problem.empty() && std::abs(number.value) <= largest) return number.value;
  if (number.problem.empty()) {
    number.problem = in_quotes(text) + " is larger than " + to_text(largest);
    number.remedy = "write SI units";
  }
  diagnostics_.error(where(element, attribute.GetLineNum()),
                     std::string(attribute.Name()) + " of " + describe(element) + ": " + number.problem,
                     number.remedy);
  return std::nullopt;
}

std::optional<double> ElementReader::number(const XMLElement& element, const char* attribute,
                                            double largest) {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(attribute);
  if (found == nullptr) return std::nullopt;
  if (is_expression(element, *found)) return std::nullopt;
  const auto words = split_words(found->Value());
  if (words.size() == 1) return parse(element, *found, words[0], largest);
  diagnostics_.error(where(element, found->GetLineNum()),
                     std::string(attribute) + " of " + describe(element) + " holds " +
                         std::to_string(words.size()) + " words instead of 1 number",
                     "write one number");
  return std::nullopt;
}

std::optional<double> ElementReader::required_number(const XMLElement& element, const char* attribute) {
  if (element.FindAttribute(attribute) != nullptr) return number(element, attribute);
  error(element, describe(element) + " has no attribute \"" + attribute + '"', "add it");
  return std::nullopt;
}

template <int size>
std::optional<Eigen::Matrix<double, size, 1>> ElementReader::vector(const XMLElement& element,
                                                                    const char* attribute,
                                                                    const char* in_words) {
  const tinyxml2::XMLAttribute* found = element.FindAttribute(attribute);
  if (found == nullptr) return std::nullopt;
  if (is_expression(element, *found)) return std::nullopt;
  auto words = split_words(found->Value());
  const auto has_comma = [](std::string_view word) { return word.ends_with(','); };
  if (words.size() == size && !has_comma(words.back()) &&
      std::all_of(words.begin(), words.end() - 1, has_comma)) {
    diagnostics_.warning(
        "commas", where(element, found->GetLineNum()),
        std::string(attribute) + " of " + describe(element) + " has commas between its numbers",
        "write spaces alone; other tools may refuse the file");
    for (std::string_view& word : words) word = word.substr(0, word.find_last_not_of(',') + 1);
  }
  if (words.size() != size) {
    diagnostics_.error(where(element, found->GetLineNum()),
                       std::string(attribute) + " of " + describe(element) + " holds " +
                           std::to_string(words.size()) + " words instead of " + std::to_string(size) +
                           " numbers",
                       std::string("write ") + in_words + " numbers with spaces between them");
    return std::nullopt;
  }
  Eigen::Matrix<double, size, 1> value = Eigen::Matrix<double, size, 1>::Zero();
  bool complete = true;
  for (int i = 0; i < size; ++i) {
    const auto number = parse(element, *found, words[static_cast<std::size_t>(i)], plausible);
    complete = complete && number.has_value();
    value[i] = number.value_or(0.0);
  }
  return complete ? std::optional(value) : std::nullopt;
}

std::optional<Eigen::Vector3d> ElementReader::vector3(const XMLElement& element, const char* attribute) {
  return vector<3>(element, attribute, "three");
}

std::optional<Eigen::Vector4d> ElementReader::vector4(const XMLElement& element, const char* attribute) {
  return vector<4>(element, attribute, "four");
}

}  // namespace featherline::formats
