#pragma once

#include "algorithms/context.hpp"

/// Derivatives of forward dynamics from panels (algorithms/routines/panels.hpp) and dense kernels (featherline/dense_kernels.hpp).
/// Only the inertia and the bias torques are straight-line code, in limb lanes if the tree is folded. Robots
/// are those that fit panels.
namespace featherline::algorithms {

void aba_derivatives_in_panels(Context& context);
void aba_second_derivatives_in_panels(Context& context);
void aba_vector_hessian_in_panels(Context& context);
void minv_vector_derivative_in_panels(Context& context);

}  // namespace featherline::algorithms
