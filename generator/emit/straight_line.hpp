#pragma once

#include "emit/expression.hpp"

#include <functional>
#include <string>

namespace featherline::emit {

/// What a reader calls entry `entry` of output `output`: "elbow", or "shoulder, elbow" in a matrix; may be empty.
using EntryNames = std::function<std::string(int output, int entry)>;

/// Statements, indented, one or more lines each.
struct PrintedLine {
  std::string body;
  Usage usage;
};

/// The statements of `line`, with a comment wherever the sweep or the body changes, and behind each stored output that
/// `entry_names` has a name for.
PrintedLine print_straight_line(const ir::Kernel& kernel, const ExpressionPrinter& expressions,
                                const EntryNames& entry_names, const ir::StraightLine& line);

}  // namespace featherline::emit
