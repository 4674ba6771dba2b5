#pragma once

#include "algorithms/context.hpp"

/// Dynamics under constraints (model/constraints.hpp). With h for C v + g:
///
///     M a + h = tau + J^T lambda,  J a + gamma = 0.
///
/// Derivatives along x hold the rows with the forces in them: with r = d(M a + h - J^T lambda)/dx at constant a and
/// lambda, and k = d(J a + gamma)/dx at constant a,
///
///     D dlambda = J M^-1 (r - dtau/dx) - k,  da = M^-1 (dtau/dx - r + J^T dlambda).
namespace featherline::algorithms {

void constrained_dynamics_by_factor(Context& context);
void constrained_dynamics_by_articulated_bodies(Context& context);
/// Udwadia and Kalaba's equation, a = a_free + M^-1/2 (J M^-1/2)^+ (-gamma - J a_free), as paper 004 has it in
/// eq. (59). (J M^-1/2)^+ = (J M^-1/2)^T D^+, so that no root of M is needed:
///
///     a = a_free + M^-1 J^T D^+ (-gamma - J a_free).
///
/// D^+ stands for the solution with dependent rows left out: the same a wherever the constraints do not contradict each
/// other.
void constrained_dynamics_by_pseudo_inverse(Context& context);
/// Limbs are eliminated with their rows, side by side (constrained_lanes.cpp).
void constrained_dynamics_in_lanes(Context& context);
void impulse_dynamics_in_lanes(Context& context);
/// What these call where a limb is stretched: limbs side by side, then the Delassus matrix (delassus_lanes.cpp).
void constrained_dynamics_by_limbs(Context& context);
void impulse_dynamics_by_limbs(Context& context);
bool limbs_fulfil_constraints(const model::Tree& tree);
void impulse_dynamics_by_factor(Context& context);
void delassus_by_factor(Context& context);
void delassus_in_lanes(Context& context);
void constraint_residual(Context& context);

/// M a + h = tau + J^T lambda for the motion of the inputs (least_norm.hpp). Where no motor acts, tau is the residual.
void constrained_inverse_dynamics(Context& context);
void constrained_inverse_derivatives(Context& context);
/// The columns by a routine of the runtime.
void constrained_inverse_derivatives_by_rows(Context& context);
/// Whether constraints act on coordinates without motor; and whether all of these are of the trunk of equal limbs.
bool lacks_motors(const model::Tree& tree);
bool trunk_lacks_motors(const model::Tree& tree);

/// The columns of the derivatives one by one, all as straight-line code.
void constrained_derivatives_unrolled(Context& context);
/// The same by calls of one internal function, several columns side by side.
void constrained_derivatives_by_columns(Context& context);
/// Derivatives of inverse dynamics by panels, and the columns by a routine of the runtime.
void constrained_derivatives_in_panels(Context& context);
bool contacts_fit_panels(const model::Tree& tree);
/// Limbs are eliminated with their rows, side by side.
void constrained_derivatives_in_lanes(Context& context);

}  // namespace featherline::algorithms
