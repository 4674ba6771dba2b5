#pragma once

#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/matrices.hpp"

/// IDSVA, first order (paper 000, Algorithm 1, equations 30 to 32; paper 001, Algorithm 1), for joints with any
/// number of degrees of freedom, in piecewise common frames.
namespace featherline::algorithms {

struct FirstDerivatives {
  SquareMatrix dtau_dq, dtau_dv, M;
  Coordinates tau;  ///< inverse dynamics, friction included
  SquareMatrix C;   ///< a Coriolis matrix: C v = bias - gravity, Mdot - 2 C skew (paper 001, eq. 23)

  explicit FirstDerivatives(int n) : dtau_dq(n), dtau_dv(n), M(n), tau(index(n)), C(n) {}
};

/// Partial derivatives of inverse dynamics with respect to q (tangent space) and v, and to a, which is M.
/// On symbols, results that are not stored cost nothing.
FirstDerivatives first_derivatives(Context& context, const Coordinates& v, const Coordinates& a,
                                   const OwnFrames& own_frames);

void rnea_derivatives(Context& context, const OwnFrames& own_frames);
void coriolis_matrix(Context& context, const OwnFrames& own_frames);

/// Chooses the bodies that are expressed in their own frame, so that rnea_derivatives has few flops. This choice
/// matters more than any other: ur5 takes 2,421 flops in the ground frame and 947 in the chosen frames. The search is
/// coordinate descent over the bodies, from the ground frame and from body frames. It stops after a number of traced
/// nodes, so that the result is the same on every machine. Very long chains keep body frames. With `jobs` above 1 the
/// two starts are searched side by side.
OwnFrames choose_own_frames(const WalkedTree& tree, int jobs = 1);

// IDSVA, second order (paper 002, Algorithm 1), for joints with any number of degrees of freedom, in piecewise
// common frames. The formulas are those of the runtime's loops: featherline/algebra/second_order.hpp. Two of the
// vectors of a pair follow from the others, so they are left out where that is shorter.

struct SecondDerivatives {
  Tensor dqdq;   ///< (i, j, k): d/dq_k (d tau_i / d q_j)
  Tensor dvdv;   ///< (i, j, k): d2 tau_i / (dv_j dv_k)
  Tensor dqdv;   ///< (i, j, k): d2 tau_i / (dq_j dv_k)
  Tensor dM_dq;  ///< (i, j, k): d M_ij / d q_k

  explicit SecondDerivatives(int n) : dqdq(n), dvdv(n), dqdv(n), dM_dq(n) {}
};

/// Whether the kernel computes first derivatives in the same frames, too: the forces that both need exist then.
enum class FirstOrder { absent, present };

SecondDerivatives second_derivatives(Context& context, const Coordinates& v, const Coordinates& a,
                                     const OwnFrames& own_frames, FirstOrder first_order);

void rnea_second_derivatives(Context& context, const OwnFrames& own_frames);

// Second derivatives of forward dynamics, from those of inverse dynamics:
// the products of featherline/algebra on symbols.

/// Second derivatives as algebra::solve_second_derivatives and solve_hessian make them of those of inverse dynamics.
void aba_second_derivatives(Context& context, const OwnFrames& own_frames);
void aba_vector_hessian(Context& context, const OwnFrames& own_frames);
/// d(M^-1 w)/dq = -Q^T with the Q of solve_hessian.
void minv_vector_derivative(Context& context, const OwnFrames& own_frames);

// Second derivatives contracted with a vector, without forming tensors, in O(n d) pairs of degrees of freedom.
//
// Let W_i = J_i(q) w be the motion body i would have if w were the joint velocities. Then
//   w^T tau = sum over bodies of W_i . (I_i a_i + v_i x* I_i v_i),
// which is a scalar. A step of q_k moves all bodies behind joint k rigidly along S_k. A rigid motion does not change
// a scalar. What changes is, for all bodies behind k,
//   v -> Psi-dot_k,   a -> Psi-double-dot_k - v x Psi-dot_k,   W -> Omega_k = W_parent x S_k.
// With the subtree sums f^C of paper 000, G = sum I_i W_i and N = sum (2 B_i)^T W_i the gradient follows,
//   d/dq_k = Omega_k . f^C_k + Psi-double-dot_k . G_k + Psi-dot_k . N_k
//   d/dv_k = (Psi-dot_k + S-dot_k) . G_k + S_k . N_k.
///// The Hessian follows by the same step once more: for k at or above p only f^C, G, N of p change. The derivative of
// N contains sum 2 B(I_i, s)^T W_i. This equals -(2 B^C_W)^T s, where B^C_W is B^C with W in place of v. Like N it
// has only an angular part.

struct VectorHessian {
  /// Sums over i of w_i times the second derivatives of tau_i. qq(j, k) is d/dq_k (d/dq_j): symmetric but inside a
  /// joint with several degrees of freedom; qv(j, k) = d2 / (dq_j dv_k); vv is symmetric.
  SquareMatrix qq, qv, vv;
  /// (j, k): d (M w)_j / d q_k = sum over i of w_i dM_ij / dq_k.
  SquareMatrix dMw_dq;

  explicit VectorHessian(int n) : qq(n), qv(n), vv(n), dMw_dq(n) {}
};

VectorHessian vector_hessian(Context& context, const Coordinates& v, const Coordinates& a,
                             const Coordinates& w, const OwnFrames& own_frames);

/// The 2 n x 2 n matrix [qq, qv; qv^T, vv], column-major.
Coordinates hessian_entries(const VectorHessian& h);

void rnea_vector_hessian(Context& context, const OwnFrames& own_frames);
/// d(M w)/dq.
void mass_matrix_vector_derivative(Context& context, const OwnFrames& own_frames);

}  // namespace featherline::algorithms
