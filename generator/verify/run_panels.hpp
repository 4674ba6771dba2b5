#pragma once

#include "verify/run_loops.hpp"

namespace featherline::verify {

/// Runs a routine of featherline/panels.hpp on the buffers of a kernel. A few numbers of slots are compiled, and the
/// robot takes the next larger one.
void run_panels(const ir::Call& call, const BufferMap& buffers);

}  // namespace featherline::verify
