#pragma once

#include "option_table.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

/// The commands, what they say of themselves, and the reading of their arguments.
namespace featherline::cli {

class FindingsLog;

struct CommandDoc {
  CommandLine::Command command;
  bool (*run)(const CommandLine&, std::ostream& out, FindingsLog&);
  std::string name;
  std::string does;    ///< a sentence
  std::string footer;  ///< below the options of its --help
};
const std::vector<CommandDoc>& commands();

std::string help();
std::string help(const CommandDoc& command);

/// The table of options in another language: "python", "cmake" or "markdown". Throws UsageError for others.
std::string option_list(const std::string& language);

/// The files that a run reads. Standard input is none.
std::vector<std::string> files_read(const CommandLine& line);

/// Reads the arguments (without the program's name). Returns nothing if the user asked for help or the version, which
/// is then on `out`. Throws UsageError, which names the flag and the valid values.
std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace featherline::cli
