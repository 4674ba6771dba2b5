#include "cli/function_words.hpp"

#include "emit/text.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline::cli {
namespace {

/// The table of templates/foreign_names.in. Its lines live as long as the program.
std::vector<ForeignName> read_names() {
  std::vector<ForeignName> names;
  std::string_view rest = emit::skeleton("foreign_names"), library;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      library = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t colon = std::min(line.find(": "), line.size()),
                      equals = line.substr(0, colon).find(" = ");
    const std::size_t end = std::min(equals, colon);
    names.push_back({line.substr(0, end), equals < colon ? line.substr(equals + 3, colon - equals - 3) : "",
                     colon < line.size() ? line.substr(colon + 2) : "", library});
  }
  return names;
}

}  // namespace

std::string plain(std::string_view word) {
  const std::size_t scope = word.find_last_of(":.");
  if (scope != std::string_view::npos) word.remove_prefix(scope + 1);
  std::string text;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

const std::vector<ForeignName>& foreign_names() {
  static const std::vector<ForeignName> names = read_names();
  return names;
}

const ForeignName* find_foreign_name(std::string_view word) {
  const std::vector<ForeignName>& names = foreign_names();
  const auto found =
      std::find_if(names.begin(), names.end(),
                   [wanted = plain(word)](const ForeignName& name) { return name.theirs == wanted; });
  return found == names.end() ? nullptr : &*found;
}

std::string describe(const ForeignName& name, std::string_view word) {
  std::string text = in_quotes(word);
  if (!name.library.empty()) text += " of " + std::string(name.library);
  text += name.ours.empty() ? " does not exist here" : " is " + in_quotes(name.ours) + " here";
  if (!name.note.empty()) text += ": " + std::string(name.note);
  return text;
}

}  // namespace featherline::cli
