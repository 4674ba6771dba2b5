#pragma once

#include "ir/kernel.hpp"

#include <string>

namespace featherline::ir {

/// The kernel as text, stable between runs. Before it is scheduled one live node a line, `n12 = mul n3 n7   # w2_z`, then
/// the stores and calls; afterwards its steps.
std::string dump(const Kernel& kernel);

}  // namespace featherline::ir
