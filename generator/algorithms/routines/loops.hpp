#pragma once

#include "algorithms/routines/routine_calls.hpp"

/// Functions that are too long to unroll for large robots. Straight-line code computes local arrays. Loops of the
/// runtime (featherline/vector_loops.hpp) compute the outputs from these arrays. M^-1 and products with it also exist
/// unrolled by the compiler (featherline/unrolled_inverse.hpp).
///
///   function                 straight-line code                          loops
///   products with M^-1       M, the derivatives of inverse dynamics      the inverse, the products
///                            and their contractions
///   second derivatives       motion, composites and operators of all     pairs and triples of paper 002,
///                            degrees of freedom                          Algorithm 1
///
/// The straight-line code then grows with nv times the depth of the tree, for second derivatives only with nv.
/// Accelerations come from articulated bodies, if joints do not share coordinates. In the pairs and triples, all
/// bodies of a subtree of the world are in one frame.
namespace featherline::algorithms {

void minv_in_loops(Context& context, Routines by);
void aba_derivatives_in_loops(Context& context, Routines by);
void aba_vector_hessian_in_loops(Context& context, Routines by);
void minv_vector_derivative_in_loops(Context& context, Routines by);
void rnea_second_derivatives_in_loops(Context& context);
void aba_second_derivatives_in_loops(Context& context, Routines by);
/// Only the products with M^-1 are calls. With coupled joints this is in between: 13 us in panels, 10 us so, and 8 us
/// unrolled, with 57, 121 and 434 KB (mobile_manipulator). For ur5 it would take 2.0 us instead of 1.4.
void aba_second_derivatives_unrolled_with_calls(Context& context);

/// Estimated flops of the unrolled forms. Near the limits of the size policy they are right within a factor of two.
/// For second derivatives of inverse dynamics, robots have 23 to 104 flops a triple. For those of forward dynamics,
/// they have 0.7 to 1.1 times the estimate.
double unrolled_minv_flops(const model::Tree& tree);
double unrolled_aba_derivatives_flops(const model::Tree& tree);
double unrolled_aba_vector_hessian_flops(const model::Tree& tree);
double unrolled_minv_vector_derivative_flops(const model::Tree& tree);
double unrolled_rnea_second_derivatives_flops(const model::Tree& tree);
double unrolled_aba_second_derivatives_flops(const model::Tree& tree);

}  // namespace featherline::algorithms
