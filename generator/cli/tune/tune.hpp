#pragma once

#include "cli/commands.hpp"

namespace featherline::cli {

/// Compiles every candidate formulation of every function that was asked for, times them on this machine, and writes
/// the fastest ones to a file for --choices.
bool tune(const CommandLine& line, std::ostream& out, FindingsLog& log);

}  // namespace featherline::cli
