#include "formats/reader.hpp"

#include "formats/format.hpp"
#include "formats/mjcf/mjcf.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

namespace featherline::formats {
namespace {

/// All formats, by their top-level elements.
constexpr Format table[] = {{"robot", urdf::read}, {"mujoco", mjcf::read}, {"sdf", sdf::read}};

// What xacro still has to expand is not for us.

/// Source: the tags that the manual of xacro defines (wiki.ros.org/xacro).
constexpr std::string_view instructions[] = {
    "xacro:arg",     "xacro:attribute",    "xacro:call",  "xacro:element",  "xacro:if",
    "xacro:include", "xacro:insert_block", "xacro:macro", "xacro:property", "xacro:unless"};

std::string without(const std::string& text, std::string_view ending) {
  return text.ends_with(ending) ? text.substr(0, text.size() - ending.size()) : text;
}

/// The command for this file, e.g. `xacro arm.urdf.xacro > arm.urdf`.
std::string command(const std::string& file) {
  std::string target = without(without(file, ".xacro"), ".urdf") + ".urdf";
  if (target == file) target = without(file, ".urdf") + ".expanded.urdf";
  return "xacro " + printable(file) + " > " + printable(target);
}

/// What an element has that xacro still has to expand: an instruction, or an expression that names a link or a joint. In
/// meshes and plugins expressions do not matter here. An xmlns:xacro attribute alone, or the tag of an undefined macro,
/// is not a sign of it, because xacro leaves both behind.
std::string left_for_xacro(const XMLElement& element) {
  constexpr std::string_view naming[] = {"robot", "link", "joint", "parent", "child", "mimic"};
  const std::string_view name = element.Name();
  if (std::ranges::find(instructions, name) != std::end(instructions)) return std::string(name);
  if (std::ranges::find(naming, name) == std::end(naming)) return {};
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;
       attribute = attribute->Next()) {
    if (is_xacro_expression(attribute->Value()))
      return std::string(name) + ' ' + attribute->Name() + '=' + in_quotes(attribute->Value());
  }
  return {};
}

/// Reports the first element, in document order, that xacro still has to expand. scan_xml() bounds the recursion.
/// \return whether nothing was reported
bool refuse_xacro(const XMLElement& element, ElementReader& reader) {
  if (const std::string what = left_for_xacro(element); !what.empty()) {
    reader.error(element, "<" + what + ">: this is a xacro file, not yet a URDF",
                 "run `" + command(reader.file()) + "` and give its result");
    return false;
  }
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (!refuse_xacro(*child, reader)) return false;
  }
  return true;
}

// The file.

/// Stops soon after the limit is passed, so that an endless input ends.
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

}  // namespace

const XMLElement* parse(const std::string& text, tinyxml2::XMLDocument& document, ElementReader& reader) {
  Diagnostics& diagnostics = reader.diagnostics();
  if (!refuse_other_text(text, reader.file(), diagnostics)) return nullptr;
  if (!scan_xml(text, reader.file(), diagnostics)) return nullptr;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    diagnostics.error({reader.file(), document.ErrorLineNum(), {}},
                      std::string("malformed XML (") + document.ErrorName() + ')', "correct the XML");
    return nullptr;
  }
  const XMLElement* root = document.RootElement();
  return refuse_xacro(*root, reader) && refuse_other_root(*root, reader.file(), diagnostics) ? root : nullptr;
}

std::optional<std::string> read_text(const std::string& path, std::string& problem) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    problem = "is a directory";
    return std::nullopt;
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes = stream ? read_bytes(stream) : "";
  if (!stream.is_open()) problem = std::string("cannot be opened: ") + std::strerror(errno);
  if (stream.bad()) problem = "cannot be read to its end";
  return problem.empty() ? std::optional(std::move(bytes)) : std::nullopt;
}

namespace {

/// The format with this top-level element, or null after a report.
const Format* format_of(const XMLElement& root, ElementReader& reader) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const Format& format) {
    return root.Name() == std::string_view(format.root);
  });
  if (found != std::end(table)) return found;
  reader.diagnostics().error({reader.file(), root.GetLineNum(), {}},
                             "the top-level element is <" + printable(root.Name()) + ">, not <robot>",
                             "give a URDF file");
  return nullptr;
}

}  // namespace

Description read_string(const std::string& text, const std::string& file_name, Diagnostics& diagnostics,
                        UnknownWords unknown) {
  Description description;
  description.file = file_name;
  description.sha256 = description::sha256(text);
  Diagnostics findings;
  ElementReader reader(file_name, findings);
  tinyxml2::XMLDocument document;
  if (const XMLElement* root = parse(text, document, reader)) {
    if (const Format* format = format_of(*root, reader))
      format->read(*root, text, unknown, description, reader);
    add_links_of_frames(description);
  }
  diagnostics.append(findings);
  return description;
}

Description read_file(const std::string& path, Diagnostics& diagnostics, UnknownWords unknown) {
  if (path == "-") return read_string(read_bytes(std::cin), "<stdin>", diagnostics, unknown);
  std::string problem;
  if (const auto bytes = read_text(path, problem)) return read_string(*bytes, path, diagnostics, unknown);
  const bool is_folder = problem == "is a directory";
  diagnostics.error({path, 0, {}}, problem,
                    is_folder ? "name the file of the robot inside" : "check the path and its permissions");
  Description description;
  description.file = path;
  return description;
}

}  // namespace featherline::formats
