#pragma once

#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/lanes/limb_inverse.hpp"

/// Steps in time, by Tree::integrator. (+) is a step of the tangent space (whole_body.hpp).
///
/// Semi-implicit Euler: v' = v + dt a, q' = q (+) dt v'. Damping D and stiffness K of joints act on the new state, so
/// that stiff ones stay stable. From M (v' - v) = dt (tau - h - D v' - K (q + dt v' - rest)), with v' = v + dt a,
///
///   (M + dt D + dt^2 K) a = tau - dt K v - h - D v - K (q - rest),
///
/// which is forward dynamics of another robot (dynamics.hpp). Coulomb friction, which is in h, is that of the old
/// velocity.
///
/// Runge-Kutta, with f(q, v) = a, q_1 = q, v_1 = v, and c = 1/2, 1/2, 1:
///
///   q_i+1 = q (+) c_i dt v_i,  v_i+1 = v + c_i dt f(q_i, v_i),
///   q' = q (+) dt/6 (v_1 + 2 v_2 + 2 v_3 + v_4),  v' = v + dt/6 (f_1 + 2 f_2 + 2 f_3 + f_4).
namespace featherline::algorithms {

/// An argument of an internal function: what it is called inside, and where it is.
struct PassedArray {
  std::string inside, outside;
  int size = 0, first = 0;
};
using Arguments = std::vector<PassedArray>;
using Code = std::shared_ptr<const ir::Kernel>;
/// The arrays as the function declares them.
std::vector<ir::Buffer> buffers(const Arguments& list);
void call_code(Context& context, Code code, const Arguments& read, const Arguments& written);

/// The four stages of Runge and Kutta, with one internal function for their accelerations.
void runge_kutta_in_calls(Context& context, Acceleration* acceleration);
/// Outputs q_next and v_next, or q_all and v_all: one step of several.
void take_step(Context& context, Acceleration* acceleration);

// Derivatives, by the chain rule. With P_q and P_v those of q (+) w with respect to q and w = dt v', the semi-implicit
// step has
//
//   dv' = [dt da/dq, 1 + dt da/dv, dt da/dtau],  dq' = [P_q, 0, 0] + dt P_v dv'.
//
// For most joints P_q and P_v are the identity.

/// Outputs A and B.
void step_derivatives(Context& context, Linearisation* linear);
void step_derivatives_in_lanes(Context& context);
/// The first columns of A by q and by v, of the semi-implicit step. `da_dq` and `da_dv` have no other columns.
std::vector<StoredEntry> columns_of_step(Context& context, const Coordinates& a, const SquareMatrix& da_dq,
                                         const SquareMatrix& da_dv, int columns_q, int columns_v);
/// The same from an internal function, which writes `acceleration`, `da_dq`, `da_dv` and `da_dtau`, and routines.
void step_derivatives_in_calls(Context& context, const std::function<void(Context&)>& dynamics);
template <void (*dynamics)(Context&, Routines)>
void step_derivatives_by_routines(Context& context, Routines by) {
  step_derivatives_in_calls(context, [by](Context& c) { dynamics(c, by); });
}

/// The same whose internal function writes the rows of v' where they stand in A and B.
void step_derivatives_by_limb_columns(Context& context);

/// Outputs wq, wv and wtau: w^T A and w^T B, without these matrices.
void step_vjp(Context& context, MakeSolver* make_solver);

/// Outputs q_next, v_next, impulse and status of the semi-implicit step with contacts. All constraints are contact
/// points or spheres.
/// Code before the solver gives D = J M^-1 J^T and the velocities of the points, code behind it the step.
void contact_step(Context& context);
/// The same with equal limbs side by side, which meet in the trunk before the solver and behind it.
void contact_step_in_lanes(Context& context);
bool limbs_have_contact_points(const model::Tree& tree);
/// Outputs A and B of it, and the derivatives by what `contact` has of points, several columns side by side.
void contact_step_derivatives(Context& context, int most_lanes);
void contact_step_parameter_derivatives(Context& context, int most_lanes);
/// Its derivatives by the chosen parameters.
void contact_step_sensitivities(Context& context, int most_lanes);
/// Whether there are constraints, and all are contact points or spheres.
bool has_contact_points_alone(const model::Tree& tree);

/// Whether limb lanes have such steps in straight lines: semi-implicit ones, where those of all joints in limbs add.
bool steps_fit_limbs(const model::Tree& tree);
/// Whether they have them in any form: Runge and Kutta's stages are calls.
bool stages_fit_limbs(const model::Tree& tree);

}  // namespace featherline::algorithms
