#pragma once

#include "ir/program.hpp"

#include <string>

namespace featherline::ir {

/// The graph as text, one live node a line, stable between runs: `n12 = mul n3 n7   # w2_z`.
std::string dump(const Function& function);

/// Parts with what they load, compute, store and save.
std::string dump(const Program& program);

}  // namespace featherline::ir
