#pragma once

#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <vector>

namespace featherline::cli {

/// How large the terms of each entry are, counted over all arrays of `compared`. What is left of large terms may carry
/// their rounding, be it zero for this robot or for all. The size is:
///
/// - the largest entry of its row, column or layer, whichever is least: rows and columns of light links stay small;
/// - where M is divided by, what errors E_kl of size sqrt(M_kk M_ll) with random signs, those of factoring M (Demmel
///   1989; Higham, Accuracy and Stability, theorem 10.5), make of x: M^-1 E x;
/// - of the Coriolis matrix, |v| times the largest entry of M in row i or j, whichever is less: C_ij is made of
///   derivatives of M_ij, M_ik and M_jk, which cancel where C turns into dM/dt.
///
/// `outputs` are the reference's, `compared` what `function` compares of them.
std::vector<double> natural_sizes(const reference::OutputFunction& function, const model::Tree& tree,
                                  const reference::State& state, const reference::Outputs& outputs,
                                  const reference::Outputs& compared);

}  // namespace featherline::cli
