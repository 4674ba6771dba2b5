#pragma once

#include "cli/compare/comparison.hpp"
#include "support/json.hpp"

#include <string>

/// A comparison as people and programs read it.
namespace featherline::cli {

std::string comparison_text(const Comparison& comparison, const Robot& robot, const CommandLine& line);
std::string comparison_markdown(const Comparison& comparison, const Robot& robot, const CommandLine& line);
Json comparison_json(const Comparison& comparison, const Robot& robot, const CommandLine& line);

}  // namespace featherline::cli
