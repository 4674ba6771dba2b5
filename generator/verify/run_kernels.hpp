#pragma once

#include "verify/run_loops.hpp"

#include <string>

namespace featherline::verify {

/// How kernels invert M. Emitted code decides by its length, which depends on the registers.
enum class KernelForm { unrolled, segments };

/// Runs a routine of featherline/dense_kernels.hpp on the robot's tables. Returns false if emitted code runs loops in
/// its place.
bool run_kernels(const std::string& routine, const ir::Call& call, const BufferMap& buffers, KernelForm form);

}  // namespace featherline::verify
