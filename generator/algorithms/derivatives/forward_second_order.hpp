#pragma once

#include "algorithms/derivatives/common_frames.hpp"

/// Second derivatives of forward dynamics, from those of inverse dynamics: the products of featherline/algebra on symbols.
namespace featherline::algorithms {

/// Second derivatives as algebra::solve_second_derivatives and solve_hessian make them of those of inverse dynamics.
void aba_second_derivatives(Context& context, const OwnFrames& own_frames);
void aba_vector_hessian(Context& context, const OwnFrames& own_frames);
/// d(M^-1 w)/dq = -Q^T with the Q of solve_hessian.
void minv_vector_derivative(Context& context, const OwnFrames& own_frames);

}  // namespace featherline::algorithms
