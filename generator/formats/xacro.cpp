#include "formats/xacro.hpp"

#include "support/text.hpp"

#include <stdio.h>     // fileno
#include <sys/wait.h>  // WEXITSTATUS
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>

namespace featherline::formats {
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
