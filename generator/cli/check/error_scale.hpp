#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <vector>

namespace featherline::cli {

/// How large the terms of each entry are. Entries are counted over all arrays of `compared`. If large terms cancel,
/// what is left may carry their rounding, even if the entry is zero for this robot or for all robots. The size of an
/// entry is the largest of these:
///
/// - The largest entry of its row, of its column or of its layer, whichever is least. So rows and columns of light
/// links
///   stay small. If a column or layer is zero for all robots, another one of the same coordinate counts instead.
/// - If the function divides by M: the entries of M^-1 E x. E stands for the errors of factoring M. Its entries E_kl
/// have
///   the size sqrt(M_kk M_ll) and random signs (Demmel 1989; Higham, Accuracy and Stability, theorem 10.5).
/// - What the reference says of terms that the results do not show (reference::OutputFunction::term_sizes).
///
/// `outputs` are the outputs of the reference. `compared` are the arrays that are compared in their place.
std::vector<double> error_scales(const catalog::FunctionSpec& function,
                                 const reference::OutputFunction& expected, const model::Tree& tree,
                                 const reference::State& state, const reference::Outputs& outputs,
                                 const reference::Outputs& compared);

}  // namespace featherline::cli
