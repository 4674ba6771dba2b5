#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Whether compiled emitted code agrees with the reference solver; prints a table of errors.
bool check(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
