#pragma once

#include "cli/commands.hpp"
#include "robot.hpp"

#include <string>

namespace featherline::cli {

/// The page of --format html (report/report.hpp). Logs the findings, to which those of the plan are added.
std::string inspect_html(const CommandLine& given, const Robot& robot, Diagnostics& findings,
                         FindingsLog& log);

}  // namespace featherline::cli
