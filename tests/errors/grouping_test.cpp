#include "findings_about.hpp"

#include <doctest/doctest.h>
#include <tinyxml2.h>

#include <array>
#include <set>
#include <string>
#include <utility>

/// Every warning and note that a case of tests/errors gives must be grouped with others of its kind. So each case is
/// put into one robot several times, under other names: the number of findings must not grow. A message that names a
/// link without quotes, for example, fails here as soon as it has a case.
namespace {

using featherline::Diagnostics, featherline::Severity;
using tinyxml2::XMLElement;

constexpr std::array<std::pair<const char*, const char*>, 8> names{{{"link", "name"},
                                                                    {"joint", "name"},
                                                                    {"parent", "link"},
                                                                    {"child", "link"},
                                                                    {"mimic", "joint"},
                                                                    {"first", "link"},
                                                                    {"second", "link"},
                                                                    {"on", "link"}}};

void rename(XMLElement& element, const std::string& suffix) {
  const std::string tag = element.Name();
  for (const auto& [owner, attribute] : names) {
    const char* name = element.Attribute(attribute);
    const bool is_name =
        tag == owner || (tag == "featherline_constraint" && attribute == std::string("name"));
    if (is_name && name != nullptr && std::string(name) != "world")
      element.SetAttribute(attribute, (name + suffix).c_str());
  }
  for (auto* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    rename(*child, suffix);
}

/// The links of `robot` that are not the child of a joint.
std::set<std::string> roots(const XMLElement& robot) {
  std::set<std::string> found;
  for (auto* link = robot.FirstChildElement("link"); link != nullptr; link = link->NextSiblingElement("link"))
    found.insert(link->Attribute("name") == nullptr ? "" : link->Attribute("name"));
  for (auto* joint = robot.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    const XMLElement* child = joint->FirstChildElement("child");
    if (child != nullptr && child->Attribute("link") != nullptr) found.erase(child->Attribute("link"));
  }
  return found;
}

/// A robot that carries `count` copies of the robot in `text`.
std::string copies(const std::string& text, int count) {
  tinyxml2::XMLDocument source, target;
  source.Parse(text.c_str(), text.size());
  REQUIRE(source.RootElement() != nullptr);
  XMLElement* robot = target.NewElement("robot");
  target.InsertFirstChild(robot);
  if (const char* name = source.RootElement()->Attribute("name")) robot->SetAttribute("name", name);
  robot->InsertNewChildElement("link")->SetAttribute("name", "carrier");
  for (int k = 0; k < count; ++k) {
    const std::string suffix = " " + std::to_string(k) + "x";
    for (auto* part = source.RootElement()->FirstChildElement(); part != nullptr;
         part = part->NextSiblingElement())
      rename(*robot->InsertEndChild(part->DeepClone(&target))->ToElement(), suffix);
    for (const std::string& root : roots(*source.RootElement())) {
      XMLElement* joint = robot->InsertNewChildElement("joint");
      joint->SetAttribute("name", (root + " holder" + suffix).c_str());
      joint->SetAttribute("type", "fixed");
      joint->InsertNewChildElement("parent")->SetAttribute("link", "carrier");
      joint->InsertNewChildElement("child")->SetAttribute("link", (root + suffix).c_str());
    }
  }
  tinyxml2::XMLPrinter printer;
  target.Print(&printer);
  return printer.CStr();
}

std::size_t num_groups(const Diagnostics& findings) {
  return findings.count(Severity::warning) + findings.count(Severity::note);
}

}  // namespace

TEST_CASE("every_warning_is_grouped") {
  int judged = 0;
  for (const auto& input : featherline::test::inputs()) {
    if (featherline::test::findings_about(input).has_errors()) continue;
    const std::string text = featherline::test::content_of(input);
    const Diagnostics one = featherline::test::findings_about(copies(text, 1), "one.urdf");
    if (one.has_errors()) continue;  // an undeclared link "world" cannot hang on the carrier
    const Diagnostics four = featherline::test::findings_about(copies(text, 4), "four.urdf");
    INFO("put names into quotes and details into parentheses, see support/diagnostic.hpp");
    INFO(input.string() << "\n" << format_text(four));
    CHECK_FALSE(four.has_errors());
    CHECK(num_groups(four) == num_groups(one));
    judged += num_groups(one) > 0 ? 1 : 0;
  }
  CHECK(judged >= 40);
}
