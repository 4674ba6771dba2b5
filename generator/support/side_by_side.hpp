#pragma once

#include <cstddef>
#include <functional>

namespace featherline {

/// Calls work(0), ..., work(count - 1), in `jobs` threads. They begin in this order. If calls throw, no more begin, and
/// the exception of the first in order is passed on: the same as with one thread.
void side_by_side(int jobs, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace featherline
