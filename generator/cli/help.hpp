#pragma once

#include "option_table.hpp"

#include <string>
#include <vector>

/// What the tool says of itself: --help, and the lists of options that scripts/update-options writes to files.
namespace featherline::cli {

struct CommandDoc {
  CommandLine::Command command;
  std::string name;
  std::string does;    ///< a sentence
  std::string footer;  ///< below the options of its --help
};
const std::vector<CommandDoc>& commands();

std::string help();
std::string help(const CommandDoc& command);

/// The table of options in another language: "python", "cmake" or "markdown". Throws UsageError for others.
std::string option_list(const std::string& language);

}  // namespace featherline::cli
