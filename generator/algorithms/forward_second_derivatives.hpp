#pragma once

#include "algorithms/first_derivatives.hpp"

/// Second derivatives of forward dynamics. With a = aba(q, v, tau) held in tau(q, v, a) = tau, differentiating
/// M a + b(q, v) = tau twice gives, for x and y any two coordinates of q and v,
///   M a_xy + tau_xy + M_x a_y + M_y a_x = 0
/// where tau_xy are the second derivatives of inverse dynamics at that a (paper 002), M_x = dM/dx (zero for v) and a_x
/// the first derivatives of forward dynamics, a_x = -M^-1 tau_x. With Y_j = M^-1 (dM/dq_j) M^-1 that is
///   d2a_dqdq(:, j, k) = -M^-1 tau_qq(:, j, k) + Y_j tau_q(:, k) + Y_k tau_q(:, j)
///   d2a_dqdv(:, j, k) = -M^-1 tau_qv(:, j, k) + Y_j tau_v(:, k)
///   d2a_dvdv(:, j, k) = -M^-1 tau_vv(:, j, k)
///   d2a_dqdtau(:, j, k) = -Y_j(:, k).
/// Contracted with w, and with lambda = M^-1 w, P(j, k) = sum over i of lambda_i dM_ij/dq_k and Q = P^T M^-1:
///   H_qq = -H_qq^lambda + Q tau_q + (Q tau_q)^T,   H_qv = -H_qv^lambda + Q tau_v,   H_vv = -H_vv^lambda,
///   d(M^-1 w)/dq = -Q^T.
namespace featherline::algorithms {

ir::Function trace_aba_second_derivatives(const model::CanonicalTree& tree, FrameChoice frames);

ir::Function trace_aba_vector_hessian(const model::CanonicalTree& tree, FrameChoice frames);
/// d(M^-1 w)/dq.
ir::Function trace_minv_vector_derivative(const model::CanonicalTree& tree, FrameChoice frames);

}  // namespace featherline::algorithms
