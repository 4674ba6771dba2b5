#include "formats/reader.hpp"

#include "formats/format.hpp"
#include "formats/mjcf/bodies.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <stdio.h>     // fileno
#include <sys/wait.h>  // WEXITSTATUS

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
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

namespace {

constexpr int no_such_command = 127;  // of a shell

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

/// What an element has that xacro still has to expand: an instruction, or an expression that names a link or a joint.
/// In meshes and plugins expressions do not matter here. An xmlns:xacro attribute alone, or the tag of an undefined
/// macro, is not a sign of it, because xacro leaves both behind.
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

struct Outcome {
  int exit_code = no_such_command;
  std::string output, errors;
};

Outcome run(const std::string& command) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  using File = std::unique_ptr<std::FILE, decltype(close)>;
  const File output(std::tmpfile(), close), errors(std::tmpfile(), close);
  if (!output || !errors) return {};
  const auto path = [](const File& file) { return "/dev/fd/" + std::to_string(fileno(file.get())); };
  const int status = std::system((command + " >" + path(output) + " 2>" + path(errors)).c_str());
  const auto text = [&](const File& file) { return read_whole(path(file)).value_or(""); };
  std::vector<std::string> lines = split_at(text(errors), '\n');
  std::erase(lines, "");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, text(output), join(lines, "; ")};
}

/// Names of files with blanks between them, and perhaps in them.
std::vector<std::string> split_files(const std::string& text) {
  std::vector<std::string> files;
  std::string name;
  for (const std::string_view word : split_words(text)) {
    (name += name.empty() ? "" : " ") += word;
    if (std::filesystem::is_regular_file(name)) files.push_back(std::exchange(name, ""));
  }
  return files;
}

/// The first element, in document order, that xacro still has to expand. scan_xml() bounds the recursion.
const XMLElement* unexpanded(const XMLElement& element) {
  if (!left_for_xacro(element).empty()) return &element;
  const XMLElement* found = nullptr;
  for (const auto* child = element.FirstChildElement(); child != nullptr && found == nullptr;
       child = child->NextSiblingElement())
    found = unexpanded(*child);
  return found;
}

}  // namespace

bool is_xacro(const std::string& file, const std::string& text) {
  if (file.ends_with(".xacro")) return true;
  Diagnostics ignored;
  tinyxml2::XMLDocument document;
  return text.find("xmlns:xacro") != text.npos && scan_xml(text, file, ignored) &&
         document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS &&
         unexpanded(*document.RootElement()) != nullptr;
}

bool refuse_xacro(const XMLElement& root, ElementReader& reader) {
  const XMLElement* element = unexpanded(root);
  if (element == nullptr) return true;
  reader.error(*element, "<" + left_for_xacro(*element) + ">: this is a xacro file, not yet a URDF",
               "run `" + command(reader.file()) + "` and give its result");
  return false;
}

std::vector<std::string> expand_xacro(const std::string& file, const std::string& arguments,
                                      std::string& text, Diagnostics& diagnostics) {
  const char* tool = std::getenv("FEATHERLINE_XACRO");
  std::string words = ' ' + shell_word(file);
  for (const std::string_view argument : split_words(arguments))
    words += ' ' + shell_word(std::string(argument));
  const auto xacro = [&](const char* flag) {
    return run((tool != nullptr ? tool : "xacro") + (flag + words));
  };
  const Outcome expanded = xacro("");
  if (expanded.exit_code == no_such_command) return {};
  const Outcome files = expanded.exit_code == 0 ? xacro(" --deps") : expanded;
  if (files.exit_code != 0) {
    diagnostics.error({file, 0, {}}, "xacro failed: " + files.errors,
                      "correct the file, or what --xacro-args gives it");
    return {};
  }
  text = expanded.output;
  diagnostics.note({file, 0, {}}, "lines are those of the expanded text, which `" + command(file) +
                                      "` writes" + (files.errors.empty() ? "" : "; xacro says: ") +
                                      files.errors);
  return split_files(files.output);
}

}  // namespace featherline::formats
