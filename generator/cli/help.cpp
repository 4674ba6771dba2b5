#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "cli/function_words.hpp"
#include "cli/text_table.hpp"
#include "emit/function_files.hpp"
#include "emit/text.hpp"
#include "option_types.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

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
    Texts names;
    for (const catalog::Formulation& formulation : function.formulations)
      names.push_back(formulation.name + (formulation.by_name_only() ? " (by name)" : ""));
    if (names.size() > 1) text += "  " + function.name + ": " + join(names) + "\n";
  }
  text += "\nWhat a formulation does:\n";
  for (const catalog::Method& method : catalog::methods()) text += entry(method.name, method.words, 42);
  return text + "\nFunctions by group:\n" + list_functions();
}

std::string footer(const char* name) { return std::string(emit::skeleton(std::string("help/") + name)); }

}  // namespace

const std::vector<CommandDoc>& commands() {
  static const std::vector<CommandDoc> all{
      {CommandLine::generate, generate, "generate", "Writes the C++ files of a robot", generate_footer()},
      {CommandLine::inspect, inspect, "inspect",
       "Shows what Featherline reads from a URDF, and writes no file", footer("examples")},
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
      "Reads a robot's URDF, writes its dynamics as straight-line C++, and checks the result.\nUsage: "
      "featherline COMMAND [OPTIONS] ROBOT.urdf...\n\nOptions:\n" +
      entry("-h,--help", "Prints this help; featherline COMMAND --help that of a command") +
      entry("--version", "Prints the version") + "\nCommands:\n";
  for (const CommandDoc& command : commands()) text += entry(command.name, command.does);
  return text + footer("examples");
}

std::string help(const CommandDoc& command) {
  std::string text =
      fmt::format("{}\nUsage: featherline {} [OPTIONS] ROBOT.urdf...\n\n", command.does, command.name) +
      entry("ROBOT.urdf...", "One or more robots; - reads standard input") + "\nOptions:\n" +
      entry("-h,--help", "Prints this help") + entries(command.command);
  if (command.command == CommandLine::inspect)
    text += "\nOptions of --format html:\n" + entries(places::page);
  return text + command.footer;
}

}  // namespace featherline::cli
