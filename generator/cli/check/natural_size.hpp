#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"

#include <vector>

namespace featherline::cli {

/// How large the terms of each entry are, counted over all arrays of `compared`. What is left of large terms may carry
/// their rounding, be it zero for this robot or for all. The size is:
///
/// - the largest entry of its row, column or layer, whichever is least: rows and columns of light links stay small. A
///   column or layer that is zero for all robots counts as another one of the same coordinate;
/// - where M is divided by, what errors E_kl of size sqrt(M_kk M_ll) with random signs, those of factoring M (Demmel
///   1989; Higham, Accuracy and Stability, theorem 10.5), make of x: M^-1 E x;
/// - what the reference says of terms that the results do not show (reference::OutputFunction::term_sizes).
///
/// `outputs` are the reference's, `compared` what is compared of them.
std::vector<double> natural_sizes(const catalog::FunctionSpec& function,
                                  const reference::OutputFunction& expected, const model::Tree& tree,
                                  const reference::State& state, const reference::Outputs& outputs,
                                  const reference::Outputs& compared);

}  // namespace featherline::cli
