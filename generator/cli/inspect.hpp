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

/// The JSON object of a robot that cannot be read. It has only "file" and "diagnostics".
std::string inspect_json(const std::string& file, const Diagnostics& findings);

/// A digraph for Graphviz. Bodies are boxes that list the links merged into them. Joints are edges.
std::string inspect_dot(const Robot& robot);

// Describes a robot as text.

std::string inspect_text(const Robot& robot);

/// One sentence that says what the choice of the base means for this robot.
std::string describe_base(const model::Tree& tree);

/// The tables of `inspect`: coordinates, bodies, and what the user chose. Each begins with an empty line and a title.
std::string tables_text(const model::Tree& tree);

/// The page of --format html (report/report.hpp). Logs the findings, to which those of the plan are added.
std::string inspect_html(const CommandLine& given, const Robot& robot, Diagnostics& findings,
                         FindingsLog& log);

}  // namespace featherline::cli
