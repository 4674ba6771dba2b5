#include "formats/reader.hpp"

#include "formats/format.hpp"
#include "formats/urdf/urdf.hpp"
#include "formats/xml_scan.hpp"

#include <algorithm>
#include <array>
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
constexpr Format table[] = {{"robot", urdf::read}};

// What xacro still has to expand is not for us.

/// Source: the tags that the manual of xacro defines (wiki.ros.org/xacro).
constexpr std::array<std::string_view, 10> instructions = {
    "xacro:arg",     "xacro:attribute",    "xacro:call",  "xacro:element",  "xacro:if",
    "xacro:include", "xacro:insert_block", "xacro:macro", "xacro:property", "xacro:unless"};

/// The next element in document order below `root`. It walks depth first, without recursion.
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

/// An expression of xacro in an element that names a link or a joint. In meshes and plugins expressions do not matter
/// here.
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

/// Reports a file that xacro still has to expand. Such a file has elements that are xacro's instructions, or
/// expressions in names. An xmlns:xacro attribute alone, or the tag of an undefined macro, is not a sign of it, because
/// xacro leaves both behind. \return whether nothing was reported
bool refuse_xacro(const XMLElement& robot, ElementReader& reader) {
  for (const XMLElement* element = &robot; element != nullptr; element = next(element, &robot)) {
    const std::string_view name = element->Name();
    const bool instruction = std::find(instructions.begin(), instructions.end(), name) != instructions.end();
    const tinyxml2::XMLAttribute* expression = expression_in_names(*element);
    if (!instruction && expression == nullptr) continue;
    const std::string what =
        instruction ? std::string(name)
                    : std::string(name) + ' ' + expression->Name() + '=' + in_quotes(expression->Value());
    reader.error(*element, "<" + what + ">: this is a xacro file, not yet a URDF",
                 "run `" + command(reader.file()) + "` and give its result");
    return false;
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

/// The root element of well-formed XML, or null after a report.
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
  if (root == nullptr) {
    diagnostics.error({reader.file(), 1, {}}, "the file holds no XML element", "give a URDF file");
    return nullptr;
  }
  return refuse_xacro(*root, reader) && refuse_other_root(*root, reader.file(), diagnostics) ? root : nullptr;
}

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
  const XMLElement* root = parse(text, document, reader);
  if (root != nullptr) {
    if (const Format* format = format_of(*root, reader))
      format->read(*root, text, unknown, description, reader);
  }
  diagnostics.append(findings);
  return description;
}

Description read_file(const std::string& path, Diagnostics& diagnostics, UnknownWords unknown) {
  if (path == "-") return read_string(read_bytes(std::cin), "<stdin>", diagnostics, unknown);
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
  return read_string(bytes, path, diagnostics, unknown);
}

}  // namespace featherline::formats
