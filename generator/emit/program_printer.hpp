#pragma once

#include "emit/expression.hpp"

#include <functional>
#include <string>

namespace featherline::emit {

/// The C++ text of one program, for the templates to frame.
struct PrintedProgram {
  std::string internal;  ///< definitions for namespace detail, one per part; empty with a single part
  std::string body;      ///< statements of the entry function, indented, without a final newline
  Usage usage;           ///< what the entry function itself refers to
};

/// What a reader calls entry `entry` of output `output`: "elbow", or "shoulder, elbow" in a matrix; may be empty.
using EntryNames = std::function<std::string(int output, int entry)>;

/// Prints a program whose entry function takes its inputs as `const S*`, then its outputs as `S*`. Parts are
/// called `name`_part1, ... With `entry_names` each stored entry is told in a comment.
PrintedProgram print_program(const ir::Program& program, const std::string& name,
                             const EntryNames& entry_names = {});

/// "const S* FEATHERLINE_RESTRICT q, S* FEATHERLINE_RESTRICT tau"; the names of unused ones are commented
/// out.
std::string pointer_parameter(const std::string& type, const std::string& name, bool used);

}  // namespace featherline::emit
