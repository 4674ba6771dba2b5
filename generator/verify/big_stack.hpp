#pragma once

#include <cstddef>
#include <functional>

namespace featherline::verify {

/// Runs `work` in a thread with a stack of `bytes` and waits for it. The loops of the runtime need such a stack for
/// their matrices. Throws UsageError if the system refuses such a thread. Passes on exceptions of `work`.
void run_with_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace featherline::verify
