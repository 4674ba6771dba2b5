#pragma once

#include "algorithms/context.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"

/// The decoupled natural orthogonal complement, DeNOC (Saha 1999; paper 003, eqs. 11 to 31).
///
/// The twists of all bodies are t = N v, with N = N_l N_d of eq. (17). Body i adds to the twist of its parent j what
/// its joint does, eq. (12): t_i = B_ij t_j + p_i v_i. Here, and in the comments of denoc.cpp:
///
///   t_i = [w; u]   twist: angular velocity, and the velocity of the reference point of body i
///   B_ij           twist propagation, eq. (13): [1, 0; [c_ij]x, 1], c_ij from the reference point of i to that of j
///   p_i            a column for each axis of the joint, eqs. (13) and (15)
///   M_i            inertia of body i about its reference point, with M~_i that of all it carries, eq. (23b)
///   W_i            diag([w]x, [w]x), Omega_i of eq. (2): p_i turns with its body, so its rate is W_i p_i
///
/// Three choices are ours. Vectors are in the axes of their body, and B_ij rotates, too: in one set of axes every
/// inertia would have to be rotated. In a tree, sums over the bodies further out are sums over children, and entries
/// of two joints are zero if neither carries the other. The reference point is the origin of the body's frame, which
/// is on the joint's axis, and not the centre of mass, so M_i = [J, [h]x; -[h]x, m] instead of the paper's diag(I_i,
/// m_i 1). Regrouped inertias have mass zero or moments without mass, so they have no centre of mass; and p_i, B_ij
/// are sparse about the axis. Joints that share a coordinate add up in its entries.
namespace featherline::algorithms {

/// M(q), eq. (24): entries p_i^T M~_i B_ij p_j.
void mass_matrix_by_denoc(Context& context);

/// C(q, v) = N^T (M dN/dt + M' N), eq. (29), in the frames given. C v = bias - gravity, and dM/dt - 2 C is skew: M'_i
/// of eq. (8) is [w]x I_i, so M'_i plus its transpose is the rate of M_i. C is not unique. This one is that of
/// first_derivatives() plus the sum of tr(J_i) / 2 N_iw^T [w_i]x N_iw, where N_iw is the angular half of the rows of N:
/// a skew matrix that takes v to zero. With centres of mass as reference points, the skew matrix is another one. For
/// some arms this C takes fewer flops (arm6: 539 instead of 566). It is not made of Christoffel symbols: C(q, v) w is
/// not C(q, w) v.
void coriolis_matrix_by_denoc(Context& context, const OwnFrames& own_frames);

/// tau, eqs. (12) and (30): twists and their rates outward, wrenches inward.
void rnea_by_denoc(Context& context);

/// a = M^-1 (tau - bias) by M = U D U^T, the reverse Gaussian elimination of Saha, "A decomposition of the manipulator
/// inertia matrix", 1997 (reference 3 of paper 003), in O(n). U and D are never formed: they are ArticulatedBodies that
/// are eliminated axis by axis. Of axis k, D has m^_k = p^T psi^, and U_D is psi_k = psi^ / m^ with psi^ = M^ p; phi~
/// are the torques, mu the accelerations. Joints must not share coordinates. For joints with several axes it takes
/// fewer flops than their matrix (humanoid: 6349, 6474).
Acceleration acceleration_by_denoc;

// Newton-Euler by dual quaternions: Silva, Quiroz-Omana and Adorno (paper 004), section 3, eqs. (16)-(30). Poses are
// unit dual quaternions x, twists and wrenches pure ones: xi = omega + eps v, zeta = f + eps tau.
//
// What differs from the paper:
// - The frame c_i of a body is the project's own: its origin lies on the joint, not in the centre of mass. A centre
//   does not always exist: regrouping takes mass from bodies, and payloads may be inputs. So (25) and (26) have terms
//   of the first moment h; they vanish where h = 0, and what remains are the paper's.
// - Joint twists, Table 1, are in the axes of the child, as v is. So Ad(x_j^c) of (19) to (21) is the identity on them.
// - Poses are those from body to body. The paper takes them as (x_ci^0)* x_c(i-1)^0, through the world, which costs
//   digits where the robot is far away.
// - Trees: the wrenches of all children add up in (29).
// - One projection (30) for all joints: the dual part of <zeta, s>, s the unit twist of the axis. For s = l it is the
//   torque about l, for s = eps l the force along l.

/// tau of q, v, a.
void rnea_by_dual_quaternions(Context& context);
/// tau = C(q, v) v + g(q).
void bias_by_dual_quaternions(Context& context);
/// tau = g(q).
void gravity_by_dual_quaternions(Context& context);

// Gauss's principle of least constraint: Silva, Quiroz-Omana and Adorno (paper 004), section 4, eqs. (31)-(49), from
// the Jacobians J_i (6 x nv) of the bodies' twists, each in the frame of its body. By eq. (32) a column of J_i is
// 2 x_i* dx_i/dq, which is Ad(x_j^i) s for an axis with the unit twist s on body j.
//
// What differs from the paper: the frame of a body has its origin on the joint, not in the centre of mass, which does
// not always exist (see Newton-Euler above). With mass m, first moment h and rotational inertia I about the
// origin, and skew matrices S(.),
//
//     Psi = [I, S(h); -S(h), m 1],  S-bar = [-S(I omega), S(h) S(omega); -S(omega) S(h), m S(omega)].
//
// S-bar is skew, and S-bar nu is what the inertial wrench has beyond Psi nu-dot. So M, C v and the property (49),
// dM/dt - 2 C skew, hold as in the paper. For h = 0 both are the paper's, eq. (41).

/// Eq. (43): M = sum of J^T Psi J.
void mass_matrix_by_gauss(Context& context);
/// Eq. (44): C = sum of J^T (S-bar J + Psi dJ/dt).
void coriolis_matrix_by_gauss(Context& context);
/// Eq. (47): tau = -sum of J^T of the wrench of gravity.
void gravity_by_gauss(Context& context);

}  // namespace featherline::algorithms
