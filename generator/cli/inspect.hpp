#pragma once

#include "cli/commands.hpp"
#include "robot.hpp"
#include "support/diagnostic.hpp"

#include <string>

/// The pictures of a robot that `inspect` offers beside text.
namespace featherline::cli {

/// Describes the robots as the generator sees them.
bool inspect(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// One object; limits that are infinite are null.
std::string inspect_json(const Robot& robot, const Diagnostics& findings);

/// The object of a robot that cannot be read: nothing but "file" and "diagnostics".
std::string inspect_json(const std::string& file, const Diagnostics& findings);

/// A digraph for Graphviz: bodies as boxes with the links merged into them, joints as edges.
std::string inspect_dot(const Robot& robot);

}  // namespace featherline::cli
