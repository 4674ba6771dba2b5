#pragma once

#include "ir/function.hpp"
#include "model/tree.hpp"

#include <vector>

namespace featherline {

/// Values for the inputs of a traced function at the k-th of a fixed sequence of states: angles within +-pi, |v| <= 10,
/// |a| <= 50, unit quaternions; the same on every machine.
std::vector<std::vector<double>> sample_inputs(const ir::Function& function, const model::Tree& tree, int k);

}  // namespace featherline
