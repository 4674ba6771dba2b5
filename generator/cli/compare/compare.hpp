#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Prints every formulation of every function that was asked for side by side, as --format says. Writes no file.
bool compare(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
