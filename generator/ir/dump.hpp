#pragma once

#include "ir/kernel.hpp"

#include <string>

namespace featherline::ir {

/// The kernel as text, the same in every run. Before scheduling: one live node a line, `n12 = mul n3 n7   # w2_z`,
/// then stores and calls. After scheduling: its steps.
std::string dump(const Kernel& kernel);

}  // namespace featherline::ir
