#pragma once

#include "algorithms/context.hpp"

/// What is too long to unroll on large robots: the straight-line code stops at arrays that runtime loops
/// (featherline/vector_loops.hpp) make the results from.
///
/// Of what multiplies with M^-1: M, the derivatives of inverse dynamics and their contractions are straight-line code,
/// which grows with nv times the depth; the inverse and the products are loops. Accelerations come from articulated bodies
/// where the tree has them.
///
/// Of second derivatives: motion, composites and operators of all degrees of freedom are straight-line code; the pairs and
/// triples of paper 002, Algorithm 1, are loops, all in one frame for each tree hanging off the world. The text grows with
/// nv, not with nv times the depth squared.
namespace featherline::algorithms {

void minv_in_loops(Context<Scalar>& context);
void aba_derivatives_in_loops(Context<Scalar>& context);
void aba_vector_hessian_in_loops(Context<Scalar>& context);
void minv_vector_derivative_in_loops(Context<Scalar>& context);
void rnea_second_derivatives_in_loops(Context<Scalar>& context);
void aba_second_derivatives_in_loops(Context<Scalar>& context);

/// The layout of the arrays `motion` and `operators`, by axis: detail::MotionRow and detail::OperatorEntry of the
/// runtime. tests/unit/runtime/loop_layout_test.cpp compares them.
inline constexpr int motion_rows = 24;
inline constexpr int operator_entries = 39;

/// Coordinates up to which the compiler makes the table of zeros: featherline::detail::max_constant_pattern.
inline constexpr int max_constant_pattern = 40;
/// Bytes of the table of zeros that the loops read, where the compiler makes it.
int bytes_of_pattern(const model::Tree& tree);

/// Flops the unrolled forms would have, to within a factor of two where they matter: for second derivatives of inverse
/// dynamics shared robots have 23 to 104 a triple, of forward dynamics 0.7 to 1.1 times the estimate.
double unrolled_minv_flops(const model::Tree& tree);
double unrolled_aba_derivatives_flops(const model::Tree& tree);
double unrolled_aba_vector_hessian_flops(const model::Tree& tree);
double unrolled_minv_vector_derivative_flops(const model::Tree& tree);
double unrolled_rnea_second_derivatives_flops(const model::Tree& tree);
double unrolled_aba_second_derivatives_flops(const model::Tree& tree);

}  // namespace featherline::algorithms
