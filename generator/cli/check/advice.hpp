#pragma once

#include "cli/check/entry_comparison.hpp"
#include "cli/command_line.hpp"
#include "pipeline.hpp"

#include <string>
#include <vector>

namespace featherline::cli {

/// Text about the rows that disagree: what is wrong, what the user can try, and how to repeat the fault.
std::string advice(const std::vector<Row>& rows, const CommandLine& line, const Robot& robot,
                   const Emission& emission);

}  // namespace featherline::cli
