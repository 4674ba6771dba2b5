#pragma once

#include "emit/emit.hpp"
#include "emit/program_printer.hpp"

namespace featherline::emit {

/// The include lines of a function's definition beyond those every function has.
std::string completion_includes(const ir::Program& program);

/// Frames the straight-line part of a function with the arrays it fills and the runtime loops that read them. Without
/// loops the text is returned as it is.
PrintedProgram complete(PrintedProgram printed, const FunctionRequest& function);

/// Scalars in the arrays the loops read, and in their own.
int completion_entries(const ir::Program& program);

}  // namespace featherline::emit
