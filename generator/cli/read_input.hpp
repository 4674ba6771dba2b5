#pragma once

#include "cli/options.hpp"
#include "pipeline.hpp"

#include <iosfwd>

namespace featherline::cli {

/// Findings on `err` in the format asked for.
void print_findings(const Options& options, const Diagnostics& findings, std::ostream& err);

/// Reads the robot and collects its findings. Throws InputError on errors, and on warnings under --werror.
Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer = {});

}  // namespace featherline::cli
