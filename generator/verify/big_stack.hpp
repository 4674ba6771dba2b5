#pragma once

#include <cstddef>
#include <functional>

namespace featherline::verify {

/// Runs `work` to its end in a thread with a stack of `bytes`: the runtime's loops keep their matrices there. Throws
/// UsageError where the system refuses a thread of that size, and what `work` throws.
void run_with_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace featherline::verify
