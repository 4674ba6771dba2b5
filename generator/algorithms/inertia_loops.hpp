#pragma once

#include "algorithms/tracer.hpp"

/// What multiplies with M^-1, for robots too large to unroll the products: M, the derivatives of inverse dynamics and
/// their contractions as straight-line code, which grows with nv times the depth, the inverse and the products as loops
/// of the runtime (featherline/vector_loops.hpp). Accelerations come from articulated bodies where the tree has them.
namespace featherline::algorithms {

ir::Function trace_minv_in_loops(const model::CanonicalTree& tree);
ir::Function trace_aba_derivatives_in_loops(const model::CanonicalTree& tree);
ir::Function trace_aba_vector_hessian_in_loops(const model::CanonicalTree& tree);
ir::Function trace_minv_vector_derivative_in_loops(const model::CanonicalTree& tree);

/// Flops of the loops that make M^-1.
double flops_of_inverse(const model::Tree& tree);
/// Coordinates up to which the compiler makes the table of zeros: featherline::detail::max_constant_pattern.
inline constexpr int max_constant_pattern = 40;
/// Bytes of the table of zeros that the loops read, where the compiler makes it.
int bytes_of_pattern(const model::Tree& tree);

/// Flops the unrolled forms would have, to within a factor of two.
double unrolled_minv_flops(const model::Tree& tree);
double unrolled_aba_derivatives_flops(const model::Tree& tree);
double unrolled_aba_vector_hessian_flops(const model::Tree& tree);
double unrolled_minv_vector_derivative_flops(const model::Tree& tree);

}  // namespace featherline::algorithms
