#pragma once

#include "ir/interpreter.hpp"

/// The routines of the runtime, run by the generator on the buffers of a kernel.
namespace featherline::verify {

using Interpreter = ir::KernelInterpreter<>;
using BufferMap = Interpreter::BufferMap;

/// Runs a loop of featherline/vector_loops.hpp. Throws InternalError for a routine that it does not know, UsageError for a
/// robot larger than any the tool accepts.
///
/// Emitted code hands the loops its tree as constants. Here the tree is known at run time only, so it is embedded in one
/// of a few fixed numbers of coordinates: those that are missing become joints of their own at the root, with inertia 1,
/// which no other joint feels.
void run_call(const ir::Call& call, const BufferMap& buffers);

}  // namespace featherline::verify
