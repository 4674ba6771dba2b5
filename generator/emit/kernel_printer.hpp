#pragma once

#include "emit/straight_line.hpp"

#include <string>

namespace featherline::emit {

/// The C++ text of one kernel, for the skeletons to frame.
struct PrintedKernel {
  std::string
      internal;  ///< definitions for namespace detail: tables that calls read, and one function for each of several
                 ///< straight lines
  std::string
      clears;  ///< statements that need not be repeated (ir::Clear::once), indented; empty if there are none
  std::string body;  ///< all other statements of the entry function, indented, without a final newline
  Usage usage;       ///< what `body` itself refers to
};

/// Prints a scheduled kernel, step by step, whose entry function takes its inputs as `const S*`, then its outputs as
/// `S*`. Internal names begin with `name`: `name`_part1, `name`_tree. With `entry_names` each stored entry is told in a
/// comment.
PrintedKernel print_kernel(const ir::Kernel& kernel, const std::string& name,
                           const EntryNames& entry_names = {});

/// Whether it computes equal limbs side by side.
bool has_lanes(const ir::Kernel& kernel);

/// The lines that include what it needs beside what every function of `robot` does.
std::string includes_of(const ir::Kernel& kernel, const std::string& robot);

/// "const S* FEATHERLINE_RESTRICT q, S* FEATHERLINE_RESTRICT tau"; the names of unused ones are commented
/// out.
std::string pointer_parameter(const std::string& type, const std::string& name, bool used);

}  // namespace featherline::emit
