#pragma once

#include "ir/kernel.hpp"

namespace featherline::passes {

/// Puts the statements into an order in which those of limb lanes follow each other, as far as they depend on each
/// other, and marks them as loops. Statements of lanes, and sums over lanes, belong to loops; others do not.
ir::StraightLine in_limb_loops(const ir::Kernel& kernel, std::vector<ir::Statement> statements);

}  // namespace featherline::passes
