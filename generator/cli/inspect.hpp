#pragma once

#include "cli/commands.hpp"
#include "model/tree.hpp"
#include "robot.hpp"
#include "support/diagnostic.hpp"

#include <string>

/// `inspect` and the forms in which it shows a robot, other than text.
namespace featherline::cli {

/// Describes the robots as the generator sees them.
bool inspect(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// One JSON object. Infinite limits are null.
std::string inspect_json(const Robot& robot, const Diagnostics& findings);

/// A digraph for Graphviz. Bodies are boxes that list the links merged into them. Joints are edges.
std::string inspect_dot(const Robot& robot);

/// Text: the tree, and tables of the coordinates, the bodies and what the user chose.
std::string inspect_text(const Robot& robot);

}  // namespace featherline::cli
