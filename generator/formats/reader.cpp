#include "formats/reader.hpp"

#include "formats/format.hpp"
#include "formats/mjcf/mjcf.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "formats/xacro.hpp"

#include <fmt/format.h>

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

constexpr Format table[] = {
    {"URDF", "robot", urdf::read}, {"MJCF", "mujoco", mjcf::read}, {"SDF", "sdf", sdf::read}};

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

/// The format with this top-level element, or null after a report.
const Format* format_of(const XMLElement& root, ElementReader& reader) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const Format& format) {
    return root.Name() == std::string_view(format.root);
  });
  if (found != std::end(table)) return found;
  std::string known;
  for (const Format& format : table)
    known += fmt::format("{}<{}> ({})", known.empty() ? "" : " or ", format.root, format.name);
  const bool is_part = root.Name() == std::string_view("mujocoinclude");
  reader.diagnostics().error(
      {reader.file(), root.GetLineNum(), {}},
      fmt::format("the top-level element is <{}>{}", printable(root.Name()),
                  is_part ? ": a part for other files of MJCF, not a model by itself" : ""),
      (is_part ? "give the file that includes it, with " : "give a robot's file, with ") + known);
  return nullptr;
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

Description read_file(const std::string& path, Diagnostics& diagnostics, UnknownWords unknown,
                      const std::string& xacro_arguments) {
  if (path == "-") return read_string(read_bytes(std::cin), "<stdin>", diagnostics, unknown);
  Description robot;
  robot.file = path;
  std::string problem;
  if (const auto bytes = read_text(path, problem)) {
    std::string text = *bytes;
    std::vector<std::string> files;
    if (is_xacro(path, text))
      files = expand_xacro(path, xacro_arguments, text, diagnostics);
    else if (!xacro_arguments.empty())
      diagnostics.error({path, 0, {}}, "--xacro-args is given, and this is no file for xacro",
                        "leave it out");
    if (diagnostics.has_errors()) return robot;
    robot = read_string(text, path, diagnostics, unknown);
    robot.sha256 = description::sha256(*bytes);
    robot.other_files.insert(robot.other_files.end(), files.begin(), files.end());
    return robot;
  }
  const bool is_folder = problem == "is a directory";
  diagnostics.error({path, 0, {}}, problem,
                    is_folder ? "name the file of the robot inside" : "check the path and its permissions");
  return robot;
}

}  // namespace featherline::formats
