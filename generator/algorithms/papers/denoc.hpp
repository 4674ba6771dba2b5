#pragma once

#include "algorithms/derivatives/common_frames.hpp"

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
/// inertia matrix", 1997 (reference 3 of paper 003), in O(n). Joints must not share coordinates. For joints with one
/// axis these are the operations of ArticulatedBodies. Of joints with several it eliminates axis after axis, as if
/// they were joints with nothing of mass between them, where ArticulatedBodies inverts a matrix (humanoid: 6755 flops,
/// 6880).
void aba_by_denoc(Context& context);

}  // namespace featherline::algorithms
