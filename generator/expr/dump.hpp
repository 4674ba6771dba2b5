#pragma once

#include "expr/function.hpp"

#include <string>

namespace featherline::expr {

/// The graph as text, one live node a line, stable between runs: `n12 = mul n3 n7   # w2_z`.
std::string dump(const Function& function);

}  // namespace featherline::expr
