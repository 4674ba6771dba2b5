#pragma once

#include "option_table.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace featherline::cli {

/// The files that a run reads. Standard input is none.
std::vector<std::string> files_read(const CommandLine& line);

/// Reads the arguments (without the program's name). Returns nothing if the user asked for help or the version, which
/// is then on `out`. Throws UsageError, which names the flag and the valid values.
std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace featherline::cli
