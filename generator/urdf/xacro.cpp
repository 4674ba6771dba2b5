#include "urdf/xacro.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace featherline::urdf {
namespace {

/// Source: the tags xacro's manual (wiki.ros.org/xacro) defines.
constexpr std::array<std::string_view, 10> instructions = {
    "xacro:arg",     "xacro:attribute",    "xacro:call",  "xacro:element",  "xacro:if",
    "xacro:include", "xacro:insert_block", "xacro:macro", "xacro:property", "xacro:unless"};

/// The next element in document order, staying below `root`; depth first without recursion.
const XMLElement* next(const XMLElement* element, const XMLElement* root) {
  if (const XMLElement* child = element->FirstChildElement()) return child;
  while (element != root && element->NextSiblingElement() == nullptr)
    element = element->Parent()->ToElement();
  return element == root ? nullptr : element->NextSiblingElement();
}

std::string without(const std::string& text, std::string_view ending) {
  return text.ends_with(ending) ? text.substr(0, text.size() - ending.size()) : text;
}

/// The command for this file, e.g. `xacro arm.urdf.xacro > arm.urdf`.
std::string command(const std::string& file) {
  std::string target = without(without(file, ".xacro"), ".urdf") + ".urdf";
  if (target == file) target = without(file, ".urdf") + ".expanded.urdf";
  return "xacro " + printable(file) + " > " + printable(target);
}

/// An expression where a link or a joint is named; in meshes and plugins they do not matter here.
const tinyxml2::XMLAttribute* expression_in_names(const XMLElement& element) {
  constexpr std::array<std::string_view, 6> naming = {"robot", "link", "joint", "parent", "child", "mimic"};
  if (std::find(naming.begin(), naming.end(), element.Name()) == naming.end()) return nullptr;
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;
       attribute = attribute->Next()) {
    const std::string_view value = attribute->Value();
    if (value.find("${") != value.npos || value.find("$(") != value.npos) return attribute;
  }
  return nullptr;
}

}  // namespace

bool refuse_xacro(const XMLElement& robot, ElementReader& reader) {
  for (const XMLElement* element = &robot; element != nullptr; element = next(element, &robot)) {
    const std::string_view name = element->Name();
    const bool instruction = std::find(instructions.begin(), instructions.end(), name) != instructions.end();
    const tinyxml2::XMLAttribute* expression = expression_in_names(*element);
    if (!instruction && expression == nullptr) continue;
    const std::string what =
        instruction ? std::string(name)
                    : std::string(name) + ' ' + expression->Name() + '=' + quoted(expression->Value());
    reader.error(*element, "<" + what + ">: this is a xacro file, not yet a URDF",
                 "run `" + command(reader.file()) + "` and give its result");
    return false;
  }
  return true;
}

}  // namespace featherline::urdf
