#pragma once

#include "cost/estimate.hpp"

#include <optional>
#include <vector>

/// Cycles of a call on a Cortex-M, in float: the longest way through every branch. Predicted, not measured on a chip.
///
/// The prediction is a sum over what straight lines execute, and over cycles in which an operation waits for its
/// operands. Its coefficients are fitted to the totals of llvm-mca's models of these cores for what arm-none-eabi-g++
/// 12.2 makes of emitted functions at -O2 (tests/bench/prediction/cycles.txt). Memory is taken to answer at once: code
/// and data lie in memory that is as fast as the core, or in caches.
namespace featherline::cost {

/// A summand: `Term::each` is its cycles.
const std::vector<Term>& cycle_terms(Target target);

/// How many there are of each in the straight lines and clears of a scheduled kernel, in the order of cycle_terms().
std::vector<double> cycle_counts(const ir::Kernel& kernel, Target target);

/// Nothing on x86-64, and for kernels that call loops of the runtime or take a link. Angles are within 200 rad.
///
/// Code in flash waits `flash_wait_states` cycles for each 16 bytes and for each constant it reads, which is what
/// happens without prefetch and cache. Both hide a part, so this is a bound.
std::optional<int> predict_cycles(const ir::Kernel& kernel, Target target, int flash_wait_states = 0);

}  // namespace featherline::cost
