#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "option_types.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {
namespace {

/// The words of an option or a command stand in a column of their own.
std::string entry(const std::string& head, const std::string& words, std::size_t column = 30) {
  const std::string indent(column, ' ');
  if (head.size() + 2 >= column) return "  " + head + "\n" + wrapped(indent + words, indent);
  return wrapped("  " + head + std::string(column - 2 - head.size(), ' ') + words, indent);
}

std::string entries(unsigned where) {
  std::string text;
  for (const Option& option : option_table()) {
    if ((option.where & where) == 0) continue;
    text += entry(option.flag + (option.argument.empty() ? "" : " " + option.argument), option.words);
  }
  return text;
}

/// What can be chosen, below the options of generate.
std::string generate_footer() {
  std::string text = "\nFormulations, by function; (by name): taken only if --formulation names it:\n";
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    Texts names = each(function.formulations, [&](const catalog::Formulation& formulation) {
      return formulation.name + (formulation.by_name_only() ? " (by name)" : "");
    });
    if (names.size() > 1) text += "  " + function.name + ": " + join(names) + "\n";
  }
  text += "\nWhat a formulation does:\n";
  for (const catalog::Method& method : catalog::methods()) text += entry(method.name, words_of(method), 42);
  return text + "\nFunctions by group:\n" + list_functions();
}

std::string footer(const char* name) { return std::string(emit::skeleton(std::string("help/") + name)); }

// The table of options in other languages.

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

/// "--frame-axes" is the argument FRAME_AXES.
std::string cmake_argument(const Option& option) {
  std::string name = keyword(option);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

std::vector<Option> options_of(unsigned place) {
  std::vector<Option> options = option_table();
  std::erase_if(options, [=](const Option& option) { return (option.where & place) == 0; });
  return options;
}

std::string python_list() {
  std::string table, types;
  for (const Option& option : options_of(places::keyword)) {
    table += fmt::format("    \"{}\": (\"{}\", \"{}\", {}, \"{}\",\n        {}),\n", keyword(option),
                         option.flag, name_of(option.type.takes),
                         (option.where & places::not_empty) != 0 ? "True" : "False", option.argument,
                         print_script_json(option.words));  // in ASCII, as Python writes them, too
    types += fmt::format("        {}: options.{}\n", keyword(option), name_of(option.type.takes));
  }
  return emit::render(emit::skeleton("help/options.py"),
                      {{"origin", origin}, {"types", types}, {"table", table}});
}

/// An entry of COMPANIONS of Python.
std::string companions_row(const catalog::Companions& c) {
  std::string blocks;
  for (const catalog::DerivativeBlock& b : c.blocks)
    blocks += fmt::format("(\"{}\", \"{}\", \"{}\", \"{}\"), ", b.output, b.input, b.function, b.array);
  return fmt::format("    \"{}\": (({}), \"{}\", \"{}\", \"{}\", \"{}\", \"{}\", \"{}\"),\n", c.function,
                     blocks, c.product, c.hessian, c.mixed, c.renamed, c.by_parameters, c.parameters_array);
}

/// The functions that there are, and what other libraries call them: the names that messages of Python know. Then which
/// functions hold derivatives of others.
std::string python_names() {
  std::string foreign;
  for (const ForeignName& name : foreign_names()) {
    if (!name.ours.empty()) foreign += fmt::format("\"{}\": \"{}\", ", name.theirs, name.ours);
  }
  std::string companions;
  for (const catalog::Companions& c : catalog::all_companions()) companions += companions_row(c);
  return emit::render(emit::skeleton("help/names.py"),
                      {{"functions", join(resolve_functions({"all"}), "\", \"")},
                       {"foreign", foreign},
                       {"companions", companions}});
}

/// The arguments of add_robot_dynamics() that it passes on as they are.
std::string cmake_list() {
  Texts switches, arguments, words, names;
  for (const Option& option : options_of(places::cmake)) {
    const std::string name = cmake_argument(option);
    (option.type.takes == Takes::nothing ? switches : arguments).push_back(name);
    if (!option.is_repeated()) words.push_back(name);
    if (option.type.takes == Takes::names) names.push_back(name);
  }
  return emit::render(emit::skeleton("help/options.cmake"), {{"origin", origin},
                                                             {"switches", join(switches, " ")},
                                                             {"arguments", join(arguments, " ")},
                                                             {"words", join(words, " ")},
                                                             {"names", join(names, " ")}});
}

/// Text for a cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : with_escapes(text, "|\\")) escaped += c == '<' ? "&lt;" : std::string(1, c);
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
  std::string rows;
  for (const Option& option : option_table()) {
    std::string flag = option.flag + (option.argument.empty() ? "" : " " + option.argument);
    std::replace(flag.begin(), flag.end(), '|', '/');
    const auto code = [&](unsigned place, const std::string& name) {
      return (option.where & place) != 0 ? "`" + name + "`" : "";
    };
    rows += fmt::format("| `{}` | {} | {} | {} | {} |\n", flag, commands_of(option),
                        code(places::keyword, keyword(option)), code(places::cmake, cmake_argument(option)),
                        cell(option.words));
  }
  rows.pop_back();  // the skeleton ends the line
  return emit::render(emit::skeleton("help/options.md"), {{"origin", origin}, {"rows", rows}});
}

}  // namespace

const std::vector<CommandDoc>& commands() {
  static const std::vector<CommandDoc> all{
      {CommandLine::generate, generate, "generate", "Writes the C++ files of a robot", generate_footer()},
      {CommandLine::inspect, inspect, "inspect",
       "Shows what Featherline reads from the file of a robot, and writes no file", footer("examples")},
      {CommandLine::check, check, "check",
       "Compiles the emitted code and compares it with the reference solver", footer("check")},
      {CommandLine::tune, tune, "tune", "Times the formulations on this machine and writes down the fastest",
       footer("tune")},
      {CommandLine::compare, compare, "compare", "Shows all formulations of all functions side by side",
       footer("compare")}};
  return all;
}

std::string help() {
  std::string text =
      "Reads the file of a robot, writes its dynamics as straight-line C++, and checks the result.\nUsage: "
      "featherline COMMAND [OPTIONS] ROBOT...\n\nOptions:\n" +
      entry("-h,--help", "Prints this help; featherline COMMAND --help prints that of a command") +
      entry("--version", "Prints the version") + "\nCommands:\n";
  for (const CommandDoc& command : commands()) text += entry(command.name, command.does);
  return text + footer("examples");
}

std::string help(const CommandDoc& command) {
  std::string text =
      fmt::format("{}\nUsage: featherline {} [OPTIONS] ROBOT...\n\n", command.does, command.name) +
      entry("ROBOT...", "One or more files of robots; - reads standard input") + "\nOptions:\n" +
      entry("-h,--help", "Prints this help") + entries(command.command);
  if (command.command == CommandLine::inspect)
    text += "\nOptions of --format html:\n" + entries(places::page);
  return text + command.footer;
}

std::string option_list(const std::string& language) {
  one_of("--list-options", language, {"python", "python-names", "cmake", "markdown"});
  if (language == "python-names") return python_names();
  return language == "python" ? python_list() : language == "cmake" ? cmake_list() : markdown_list();
}

}  // namespace featherline::cli
