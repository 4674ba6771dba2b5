#pragma once

#include "algorithms/common_frames.hpp"

/// Second derivatives of forward dynamics, from those of inverse dynamics: the products of featherline/algebra on symbols.
namespace featherline::algorithms {

/// Second derivatives as algebra::solve_second_derivatives and solve_hessian make them of those of inverse dynamics.
template <class T>
void aba_second_derivatives(Context<T>& context, const OwnFrames& own_frames);
template <class T>
void aba_vector_hessian(Context<T>& context, const OwnFrames& own_frames);
/// d(M^-1 w)/dq = -Q^T with the Q of solve_hessian.
template <class T>
void minv_vector_derivative(Context<T>& context, const OwnFrames& own_frames);

}  // namespace featherline::algorithms
