#include "urdf/reader.hpp"

#include "urdf/checks.hpp"
#include "urdf/cross_check.hpp"
#include "urdf/number.hpp"
#include "urdf/read_parts.hpp"
#include "urdf/sha256.hpp"
#include "urdf/vocabulary.hpp"
#include "urdf/xml_scan.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

namespace featherline::urdf {
namespace {

/// At most one byte more than the limit, so that an endless input ends.
std::string read_bytes(std::istream& stream) {
  std::string bytes;
  constexpr std::size_t chunk = std::size_t{1} << 20;
  while (stream && bytes.size() <= XmlLimits::bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + chunk);
    stream.read(bytes.data() + size, static_cast<std::streamsize>(chunk));
    bytes.resize(size + static_cast<std::size_t>(stream.gcount()));
  }
  return bytes;
}

void read_robot(const XMLElement& robot, Description& description, ElementReader& reader) {
  description.line = robot.GetLineNum();
  const char* name = robot.Attribute("name");
  description.name = name == nullptr ? "" : name;
  if (split_words(description.name).empty()) {
    description.name = "robot";
    reader.warning(robot, "the robot has no name and is called \"robot\"",
                   "write <robot name=\"...\">, or pass --name");
  }
  for (const XMLElement* child = robot.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string_view kind = child->Name();
    if (kind == "link") description.links.push_back(read_link(*child, reader));
    if (kind == "joint") description.joints.push_back(read_joint(*child, reader));
    if (kind == "robot") reader.error(*child, "a <robot> inside the robot", "keep one robot per file");
  }
}

/// Some simulators know a link "world" that no file has to declare.
void add_world(Description& description, ElementReader& reader) {
  const auto is_world = [](const Link& link) { return link.name == "world"; };
  if (std::any_of(description.links.begin(), description.links.end(), is_world)) return;
  for (const Joint& joint : description.joints) {
    if (joint.parent != "world") continue;
    reader.diagnostics().warning(
        {description.file, joint.parent_line, "robot/joint " + featherline::quoted(joint.name) + "/parent"},
        "the parent of joint " + featherline::quoted(joint.name) +
            " is link \"world\", which is not declared and taken as an empty link",
        "add <link name=\"world\"/>; other tools may refuse the file");
    description.links.push_back({"world", joint.parent_line, std::nullopt});
    return;
  }
}

/// \return the `<robot>` element, or null after a report
const XMLElement* parse(const std::string& text, tinyxml2::XMLDocument& document, ElementReader& reader) {
  Diagnostics& diagnostics = reader.diagnostics();
  if (!scan_xml(text, reader.file(), diagnostics)) return nullptr;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    diagnostics.error({reader.file(), document.ErrorLineNum(), {}},
                      std::string("malformed XML (") + document.ErrorName() + ')', "correct the XML");
    return nullptr;
  }
  const XMLElement* root = document.RootElement();
  if (root != nullptr && !refuse_xacro(*root, reader)) return nullptr;
  if (root != nullptr && std::string_view(root->Name()) == "robot") return root;
  diagnostics.error({reader.file(), root == nullptr ? 0 : root->GetLineNum(), {}},
                    "the top-level element is not <robot>", "give a URDF file");
  return nullptr;
}

}  // namespace

Description read_string(const std::string& text, const std::string& file_name, Diagnostics& diagnostics) {
  Description description;
  description.file = file_name;
  description.sha256 = sha256(text);
  Diagnostics findings;
  ElementReader reader(file_name, findings);
  tinyxml2::XMLDocument document;
  if (const XMLElement* robot = parse(text, document, reader)) {
    read_robot(*robot, description, reader);
    add_world(description, reader);
    report_vocabulary(*robot, reader);
    check(description, findings);
    if (!findings.has_errors()) cross_check(text, description, findings);
  }
  diagnostics.append(findings);
  return description;
}

Description read_file(const std::string& path, Diagnostics& diagnostics) {
  if (path == "-") return read_string(read_bytes(std::cin), "<stdin>", diagnostics);
  const auto fail = [&](const std::string& message, const char* remedy) {
    diagnostics.error({path, 0, {}}, message, remedy);
    Description description;
    description.file = path;
    return description;
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail("is a directory", "name the URDF file inside");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(std::string("cannot be opened: ") + std::strerror(errno),
                "check the path and its permissions");
  }
  const std::string bytes = read_bytes(stream);
  if (stream.bad()) return fail("cannot be read to its end", "check the file system");
  return read_string(bytes, path, diagnostics);
}

}  // namespace featherline::urdf
