#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Whether the compiled code agrees with the reference solver. Prints a table of errors.
bool check(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
