#pragma once

#include "algorithms/first_derivatives.hpp"

/// Second derivatives of large robots: motion, composites and operators of all degrees of freedom as straight-line
/// code, the pairs and triples of paper 002, Algorithm 1, as loops of the runtime (featherline/vector_loops.hpp), all in
/// one frame for each tree hanging off the world. The text grows with nv, not with nv times the depth squared.
namespace featherline::algorithms {

/// The layout of the arrays `motion` and `operators`, by axis: detail::MotionRow and detail::OperatorEntry of the
/// runtime. tests/unit/runtime/loop_layout_test.cpp compares them.
inline constexpr int motion_rows = 24;
inline constexpr int operator_entries = 39;

ir::Function trace_rnea_second_derivatives_in_loops(const model::CanonicalTree& tree);
ir::Function trace_aba_second_derivatives_in_loops(const model::CanonicalTree& tree);

/// Flops the unrolled forms would have, to within a factor of two where they matter: shared robots have 23 to 104 a
/// triple, and 0.7 to 1.1 times the second estimate.
double unrolled_rnea_second_derivatives_flops(const model::Tree& tree);
double unrolled_aba_second_derivatives_flops(const model::Tree& tree);

}  // namespace featherline::algorithms
