#pragma once

#include "ir/kernel.hpp"

#include <vector>

namespace featherline::ir {

/// Runs a function on numbers, operation by operation: the oracle of every pass.
/// `inputs[p][i]` is entry i of input parameter p; the result is indexed the same way by output parameter.
/// Throws InternalError when the inputs do not fit the function's parameters.
std::vector<std::vector<double>> evaluate(const Kernel& kernel,
                                          const std::vector<std::vector<double>>& inputs);

}  // namespace featherline::ir
