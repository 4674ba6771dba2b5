#pragma once

#include "algorithms/context.hpp"

/// Gauss's principle of least constraint: Silva, Quiroz-Omana and Adorno (paper 004), section 4, eqs. (31)-(49), from
/// the Jacobians J_i (6 x nv) of the bodies' twists, each in the frame of its body. By eq. (32) a column of J_i is
/// 2 x_i* dx_i/dq, which is Ad(x_j^i) s for an axis with the unit twist s on body j.
///
/// What differs from the paper: the frame of a body has its origin on the joint, not in the centre of mass, which does
/// not always exist (dual_quaternion_newton_euler.hpp). With mass m, first moment h and rotational inertia I about the
/// origin, and skew matrices S(.),
///
///     Psi = [I, S(h); -S(h), m 1],  S-bar = [-S(I omega), S(h) S(omega); -S(omega) S(h), m S(omega)].
///
/// S-bar is skew, and S-bar nu is what the inertial wrench has beyond Psi nu-dot. So M, C v and the property (49),
/// dM/dt - 2 C skew, hold as in the paper. For h = 0 both are the paper's, eq. (41).
namespace featherline::algorithms {

/// Eq. (43): M = sum of J^T Psi J.
void mass_matrix_by_gauss(Context& context);
/// Eq. (44): C = sum of J^T (S-bar J + Psi dJ/dt).
void coriolis_matrix_by_gauss(Context& context);
/// Eq. (47): tau = -sum of J^T of the wrench of gravity.
void gravity_by_gauss(Context& context);

}  // namespace featherline::algorithms
