#pragma once

#include "cli/options.hpp"
#include "pipeline.hpp"

#include <iosfwd>

namespace featherline::cli {

/// Findings on `err` in the format asked for.
void print_findings(const Options& options, const Diagnostics& findings, std::ostream& err);

/// Reads the robot and collects its findings. Throws InputError on errors.
Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer = {});

/// Once all findings are in: prints them, or throws InputError when --werror makes them an error.
void settle_findings(const Options& options, Diagnostics& findings, std::ostream& err);

/// The options without the functions that do not exist for this robot; see drop_functions_without_inverse. Throws
/// InputError where the user named one of them.
Options with_existing_functions(const Options& options, const Robot& robot, Diagnostics& findings);

}  // namespace featherline::cli
