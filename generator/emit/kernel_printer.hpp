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

/// Statements that set these rows to zero, several a line.
std::string stored_zeros(const std::string& buffer, const std::vector<ir::ZeroRows>& zeros,
                         const char* indent);

/// The C++ text of one kernel, for the skeletons to frame.
struct PrintedKernel {
  /// Definitions for namespace detail: tables that calls read, and one function for each of several straight lines.
  std::string internal;
  /// Statements that need not be repeated (ir::Clear::once), indented; empty if there are none.
  std::string clears;
  std::string body;  ///< all other statements of the entry function, indented, without a final newline
  Usage usage;       ///< what `body` itself refers to; `zeros` says whether zeros stand between statements
};

/// Prints a scheduled kernel, step by step, whose entry function takes its inputs as `const S*`, then its outputs as
/// `S*`. Internal names begin with `name`: `name`_part1, `name`_tree. Internal functions belong to the code `code`
/// (FEATHERLINE_CODE of featherline/prepare.hpp), detail::`name`_code if it is empty. With `entry_names` each
/// stored entry is told in a comment. Prints `jobs` straight lines at the same time.
PrintedKernel print_kernel(const ir::Kernel& kernel, const std::string& name,
                           const EntryNames& entry_names = {}, int jobs = 1, const std::string& code = {});

/// Whether it computes equal limbs side by side.
bool has_lanes(const ir::Kernel& kernel);

/// The lines that include what it needs beside what every function of `robot` does.
std::string includes_of(const ir::Kernel& kernel, const std::string& robot);

/// "const S* FEATHERLINE_RESTRICT q, S* FEATHERLINE_RESTRICT tau"; the names of unused ones are commented
/// out.
std::string pointer_parameter(const std::string& type, const std::string& name, bool used);

}  // namespace featherline::emit
