#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Writes the emitted files of all inputs and a short report for each. If one input is at fault, it writes no files.
bool generate(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
