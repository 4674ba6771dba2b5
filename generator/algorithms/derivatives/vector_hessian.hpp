#pragma once

#include "algorithms/derivatives/common_frames.hpp"
#include "algorithms/matrices.hpp"

/// Second derivatives contracted with a vector, without forming tensors, in O(n d) pairs of degrees of freedom.
///
/// Let W_i = J_i(q) w be the motion body i would have if w were the joint velocities. Then
///   w^T tau = sum over bodies of W_i . (I_i a_i + v_i x* I_i v_i),
/// which is a scalar. A step of q_k moves all bodies behind joint k rigidly along S_k. A rigid motion does not change
/// a scalar. What changes is, for all bodies behind k,
///   v -> Psi-dot_k,   a -> Psi-double-dot_k - v x Psi-dot_k,   W -> Omega_k = W_parent x S_k.
/// With the subtree sums f^C of paper 000, G = sum I_i W_i and N = sum (2 B_i)^T W_i the gradient follows,
///   d/dq_k = Omega_k . f^C_k + Psi-double-dot_k . G_k + Psi-dot_k . N_k
///   d/dv_k = (Psi-dot_k + S-dot_k) . G_k + S_k . N_k.
////// The Hessian follows by the same step once more: for k at or above p only f^C, G, N of p change. The derivative of
/// N contains sum 2 B(I_i, s)^T W_i. This equals -(2 B^C_W)^T s, where B^C_W is B^C with W in place of v. Like N it
/// has only an angular part.
namespace featherline::algorithms {

struct VectorHessian {
  /// Sums over i of w_i times the second derivatives of tau_i. qq(j, k) is d/dq_k (d/dq_j): symmetric but inside a
  /// joint with several degrees of freedom; qv(j, k) = d2 / (dq_j dv_k); vv is symmetric.
  SquareMatrix qq, qv, vv;
  /// (j, k): d (M w)_j / d q_k = sum over i of w_i dM_ij / dq_k.
  SquareMatrix dMw_dq;
};

VectorHessian vector_hessian(Context& context, const Coordinates& v, const Coordinates& a,
                             const Coordinates& w, const OwnFrames& own_frames);

/// The 2 n x 2 n matrix [qq, qv; qv^T, vv], column-major.
Coordinates hessian_entries(const VectorHessian& h);

void rnea_vector_hessian(Context& context, const OwnFrames& own_frames);
/// d(M w)/dq.
void mass_matrix_vector_derivative(Context& context, const OwnFrames& own_frames);

}  // namespace featherline::algorithms
