#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "support/utf8.hpp"

#include <string_view>
#include <unordered_map>

namespace featherline::urdf {
namespace {

constexpr std::size_t long_name = 255;

/// What makes a name unfit for a line of text, or nothing.
const char* defect(std::string_view name) {
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length == 0) return "bytes that are not UTF-8";
    if (is_control(name.substr(0, length))) return "an invisible control character";
    name.remove_prefix(length);
  }
  return nullptr;
}

bool is_space(char c) { return c == ' '; }

void check_name(const std::string& name, const Location& where, const char* kind, Diagnostics& diagnostics) {
  if (name.empty()) return;  // reported by the reader
  const std::string subject = std::string("the name of ") + kind + ' ' + quoted(name);
  if (const char* what = defect(name)) {
    diagnostics.error(where, subject + " contains " + what, "write the name in visible UTF-8 characters");
  } else if (is_space(name.front()) || is_space(name.back())) {
    diagnostics.warning(where, subject + " begins or ends with a space",
                        "remove the space here and where it is used");
  } else if (name.size() > long_name) {
    diagnostics.warning(where, subject + " is longer than " + std::to_string(long_name) + " bytes",
                        "choose a shorter name; compilers and file systems have limits");
  }
}

template <class Part>
void check_parts(const Description& description, const std::vector<Part>& parts, const char* kind,
                 Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, int> first_line;
  for (const Part& part : parts) {
    check_name(part.name, at(description, part, part.line), kind, diagnostics);
    const auto [first, is_new] = first_line.emplace(part.name, part.line);
    if (is_new || part.name.empty()) continue;
    diagnostics.error(at(description, part, part.line),
                      std::string("a second ") + kind + " named " + quoted(part.name) +
                          " (the first is on line " + std::to_string(first->second) + ')',
                      "rename one of them");
  }
}

}  // namespace

void check_names(const Description& description, Diagnostics& diagnostics) {
  check_name(description.name, {description.file, description.line, "robot"}, "robot", diagnostics);
  check_parts(description, description.links, "link", diagnostics);
  check_parts(description, description.joints, "joint", diagnostics);
}

}  // namespace featherline::urdf
