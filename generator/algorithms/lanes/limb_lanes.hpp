#pragma once

#include "algorithms/context.hpp"

/// Forward dynamics in limb lanes, where limbs are coupled through the trunk (limb_inverse.hpp). All other algorithms
/// work in lanes as they are.
namespace featherline::algorithms {

void aba_in_lanes(Context& context);
void aza_in_lanes(Context& context);
void minv_in_lanes(Context& context);
void aba_derivatives_in_lanes(Context& context);
void minv_vector_derivative_in_lanes(Context& context);
/// The same with one function for all columns of limbs (limb_columns.hpp).
void aba_derivatives_by_limb_columns(Context& context);
void minv_vector_derivative_by_limb_columns(Context& context);
/// The same with unrolled routines (featherline/unrolled_inverse.hpp): for M^-1, or for products with it.
void minv_in_lanes_and_kernels(Context& context);
void aba_derivatives_in_lanes_and_kernels(Context& context);
void aba_vector_hessian_in_lanes_and_kernels(Context& context);

}  // namespace featherline::algorithms
