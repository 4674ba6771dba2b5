#include "cli/help.hpp"

#include "cli/function_words.hpp"
#include "option_types.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {
namespace {

constexpr const char* origin =
    "Written by scripts/update-options from the table of options, generator/option_table.cpp.";

/// As Takes has them, and in its order.
constexpr const char* takes_names[] = {"nothing", "word",  "number",  "numbers", "items",
                                       "names",   "pairs", "scalars", "file",    "lines"};

const char* name_of(Takes takes) { return takes_names[static_cast<std::size_t>(takes)]; }

/// "--frame-axes" is the keyword frame_axes, and "--no-verify" is verify.
std::string keyword(const Option& option) {
  std::string name = option.flag.substr(option.flag.starts_with("--no-") ? 5 : 2);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<Option> keyword_options() {
  std::vector<Option> options = option_table();
  std::erase_if(options, [](const Option& option) { return (option.where & places::keyword) == 0; });
  return options;
}

std::string python_list() {
  std::string table, types;
  for (const Option& option : keyword_options()) {
    table += fmt::format("    \"{}\": (\"{}\", \"{}\", {}, \"{}\",\n        {}),\n", keyword(option),
                         option.flag, name_of(option.type.takes),
                         (option.where & places::not_empty) != 0 ? "True" : "False", option.argument,
                         print_script_json(option.words));  // in ASCII, as Python writes them, too
    types += fmt::format("        {}: options.{}\n", keyword(option), name_of(option.type.takes));
  }
  return fmt::format(R"("""The options of `featherline generate` that load() takes as keywords.

{}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Tuple

if TYPE_CHECKING:
    from typing import TypedDict

    from . import options

    class Keywords(TypedDict, total=False):
        """For editors and type checkers."""

{}
#: By keyword: the flag, what it takes, whether a list has to have items, the argument, what it does.
OPTIONS: Dict[str, Tuple[str, str, bool, str, str]] = {{
{}}}
)",
                     origin, types, table);
}

/// The functions that there are, and what other libraries call them: the names that messages of Python know.
std::string python_names() {
  std::string foreign;
  for (const ForeignName& name : foreign_names()) {
    if (!name.ours.empty()) foreign += fmt::format("\"{}\": \"{}\", ", name.theirs, name.ours);
  }
  return fmt::format(
      "\"\"\"Written when featherline was built.\"\"\"\n\nFUNCTIONS = (\"{}\",)\nFOREIGN_NAMES = {{{}}}\n",
      join(resolve_functions({"all"}), "\", \""), foreign);
}

/// The arguments of add_robot_dynamics() that are lists of names alone.
std::string cmake_list() {
  Texts names;
  for (const Option& option : keyword_options()) {
    if (option.type.takes != Takes::names) continue;
    std::string& name = names.emplace_back(keyword(option));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  }
  return fmt::format(
      "# {}\n# A comma in a name is escaped; in other lists commas stand between numbers, too.\n"
      "set(FEATHERLINE_LISTS_OF_NAMES {})\n",
      origin, join(names, " "));
}

/// Text for a cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
      continue;
    }
    if (c == '|' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string commands_of(const Option& option) {
  if ((option.where & places::every_command) == places::every_command) return "all";
  Texts names;
  for (const CommandDoc& command : commands()) {
    if ((option.where & command.command) != 0) names.push_back(command.name);
    if (command.command == CommandLine::inspect && (option.where & places::page) != 0)
      names.emplace_back("inspect (html)");
  }
  return join(names);
}

std::string markdown_list() {
  std::string text = fmt::format(
      "# Options\n\nRead this if you look for a flag. `featherline.load()` takes those with a keyword. "
      "`add_robot_dynamics()` takes all\nflags of `generate`: some as arguments of its own, the others "
      "behind `OPTIONS`.\n\n"
      "<!-- {} -->\n\n| option | of the commands | keyword | what it does |\n| --- | --- | --- | --- |\n",
      origin);
  for (const Option& option : option_table()) {
    std::string flag = option.flag + (option.argument.empty() ? "" : " " + option.argument);
    std::replace(flag.begin(), flag.end(), '|', '/');
    const bool has_keyword = (option.where & places::keyword) != 0;
    text += fmt::format("| `{}` | {} | {} | {} |\n", flag, commands_of(option),
                        has_keyword ? "`" + keyword(option) + "`" : "", cell(option.words));
  }
  return text;
}

}  // namespace

std::string option_list(const std::string& language) {
  one_of("--list-options", language, {"python", "python-names", "cmake", "markdown"});
  if (language == "python-names") return python_names();
  return language == "python" ? python_list() : language == "cmake" ? cmake_list() : markdown_list();
}

}  // namespace featherline::cli
