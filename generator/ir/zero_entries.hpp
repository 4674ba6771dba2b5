#pragma once

#include "ir/kernel.hpp"

#include <vector>

namespace featherline::ir {

/// By output and entry: whether the kernel stores something other than zero there. Empty for an output that something
/// else than stores fills.
std::vector<std::vector<bool>> stored_nonzeros(const Kernel& kernel);

}  // namespace featherline::ir
