#pragma once

#include "ir/interpreter.hpp"

/// Runs routines of the runtime inside the generator, on the buffers of a kernel.
namespace featherline::verify {

using Interpreter = ir::KernelInterpreter<>;
using BufferMap = Interpreter::BufferMap;

/// Runs the routine that emitted code calls: a loop of featherline/vector_loops.hpp, a kernel of
/// featherline/dense_kernels.hpp, or panels. Throws InternalError for a routine that it does not know, UsageError for a
/// robot larger than any the tool accepts.
///
/// Routines take the number of coordinates as a compile-time constant, but the generator knows it only at run time. So
/// a few sizes are compiled, and the robot runs in the next larger one. Each coordinate that the robot lacks becomes a
/// joint at the root with inertia 1, which has no effect on the others.
void run_call(const ir::Call& call, const BufferMap& buffers);
/// The same, with the straight-line M^-1 of kernels for small robots.
void run_unrolled_call(const ir::Call& call, const BufferMap& buffers);

}  // namespace featherline::verify
