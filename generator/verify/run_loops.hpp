#pragma once

#include "ir/interpreter.hpp"

#include <string>

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

/// How kernels invert M. Emitted code decides by its length, which depends on the registers.
enum class KernelForm { unrolled, segments };

/// Runs a routine of featherline/dense_kernels.hpp on the robot's tables. Returns false if emitted code runs loops in
/// its place.
bool run_kernels(const std::string& routine, const ir::Call& call, const BufferMap& buffers, KernelForm form);

/// Runs a routine of featherline/panels.hpp on the buffers of a kernel. A few numbers of slots are compiled, and the
/// robot takes the next larger one.
void run_panels(const ir::Call& call, const BufferMap& buffers);

}  // namespace featherline::verify
