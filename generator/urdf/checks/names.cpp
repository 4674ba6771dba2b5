#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"

#include <string_view>
#include <unordered_map>

namespace featherline::urdf {
namespace {

template <class Part>
void check_unique(const Description& description, const std::vector<Part>& parts, const char* kind,
                  Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, int> first_line;
  for (const Part& part : parts) {
    if (part.name.empty()) continue;  // reported by the reader
    const auto [first, is_new] = first_line.emplace(part.name, part.line);
    if (is_new) continue;
    diagnostics.error(at(description, part, part.line),
                      std::string("a second ") + kind + " named " + quoted(part.name) + " (the first is on line " +
                          std::to_string(first->second) + ')',
                      "rename one of them");
  }
}

}  // namespace

void check_names(const Description& description, Diagnostics& diagnostics) {
  check_unique(description, description.links, "link", diagnostics);
  check_unique(description, description.joints, "joint", diagnostics);
}

}  // namespace featherline::urdf
