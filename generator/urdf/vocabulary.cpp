#include "urdf/vocabulary.hpp"

#include "urdf/number.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace featherline::urdf {
namespace {

using Names = std::vector<std::string_view>;

/// What may stand in an element whose content we read, and what stands in it for others.
struct Grammar {
  Names attributes, children, for_others;
};

/// Source: the URDF XML specification (wiki.ros.org/urdf/XML), pages robot, link, joint, transmission,
/// Gazebo.
const std::map<std::string_view, Grammar>& grammar() {
  static const std::map<std::string_view, Grammar> table = {
      {"robot",
       {{"name", "version"}, {"link", "joint"}, {"material", "transmission", "gazebo", "sensor", "robot"}}},
      {"link", {{"name", "type"}, {"inertial"}, {"visual", "collision"}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}, {}}},
      {"origin", {{"xyz", "rpy"}, {}, {}}},
      {"mass", {{"value"}, {}, {}}},
      {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, {}}},
      {"joint",
       {{"name", "type"},
        {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "featherline_joint"},
        {"calibration", "safety_controller"}}},
      {"parent", {{"link"}, {}, {}}},
      {"child", {{"link"}, {}, {}}},
      {"axis", {{"xyz"}, {}, {}}},
      {"limit", {{"lower", "upper", "velocity", "effort"}, {}, {}}},
      {"mimic", {{"joint", "multiplier", "offset"}, {}, {}}},
      {"dynamics", {{"damping", "friction"}, {}, {}}},
      {"featherline_joint", {{"type", "pitch", "axis2"}, {}, {}}},
  };
  return table;
}

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One kind of thing that was met: how often, and where first.
struct Occurrence {
  const XMLElement* first = nullptr;
  int count = 0;

  void add(const XMLElement& element) {
    if (count++ == 0) first = &element;
  }
  std::string times() const { return count == 1 ? "once" : std::to_string(count) + " times, first here"; }
};

class Vocabulary {
 public:
  void visit(const XMLElement& element, const Grammar& rules) {
    const std::string inside = " in <" + std::string(element.Name()) + '>';
    visit_attributes(element, rules, inside);
    visit_text(element, inside);
    for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (contains(rules.children, name)) {
        if (name == "dynamics") read_.add(*child);
        visit(*child, grammar().at(name));
      } else if (!contains(rules.for_others, name)) {
        unknown_['<' + printable(name) + '>' + inside].add(*child);
      } else if (name != "visual" && name != "collision" && name != "material" && name != "robot") {
        for_others_['<' + std::string(name) + '>'].add(*child);
      }
    }
  }

  void report(ElementReader& reader) const {
    for (const auto& [what, occurrence] : unknown_) {
      reader.warning(*occurrence.first,
                     "ignored: " + what + ", which URDF does not have (" + occurrence.times() + ')',
                     "correct its name or its place, or remove it");
    }
    for (const auto& [what, occurrence] : for_others_) {
      reader.note(*occurrence.first,
                  what + " is ignored (" + occurrence.times() + "): dynamics does not need it");
    }
    if (read_.count > 0) {
      reader.note(*read_.first, "<dynamics> is read (" + read_.times() +
                                    "): damping and friction enter only with --joint-dynamics urdf");
    }
  }

 private:
  void visit_attributes(const XMLElement& element, const Grammar& rules, const std::string& inside) {
    for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next()) {
      const std::string_view name = attribute->Name();
      const bool belongs_to_xml = name.substr(0, 5) == "xmlns" || name.substr(0, 4) == "xml:";
      if (belongs_to_xml || contains(rules.attributes, name)) continue;
      unknown_["attribute \"" + printable(name) + '"' + inside].add(element);
    }
  }

  void visit_text(const XMLElement& element, const std::string& inside) {
    for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (node->ToText() != nullptr && !split_words(node->Value()).empty())
        unknown_["text" + inside].add(element);
    }
  }

  std::map<std::string, Occurrence> unknown_, for_others_;
  Occurrence read_;
};

}  // namespace

void report_vocabulary(const XMLElement& robot, ElementReader& reader) {
  Vocabulary vocabulary;
  vocabulary.visit(robot, grammar().at("robot"));
  vocabulary.report(reader);
}

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
