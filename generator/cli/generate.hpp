#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Writes the emitted files of all inputs, or none where one is at fault, and a short report for each.
bool generate(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
