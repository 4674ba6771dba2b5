#pragma once

#include "cli/check/comparison.hpp"
#include "cli/command_line.hpp"
#include "pipeline.hpp"

#include <string>
#include <vector>

namespace featherline::cli {

/// What is wrong, in words, what to try, and how to repeat it: of the rows that disagree.
std::string advice(const std::vector<Row>& rows, const CommandLine& line, const Robot& robot,
                   const Emission& emission);

}  // namespace featherline::cli
