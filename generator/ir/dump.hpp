#pragma once

#include "ir/function.hpp"

#include <string>

namespace featherline::ir {

/// The graph as text, one live node a line, stable between runs: `n12 = mul n3 n7   # w2_z`.
std::string dump(const Function& function);

}  // namespace featherline::ir
