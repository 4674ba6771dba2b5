#pragma once

#include "algorithms/context.hpp"

/// The frames that the user chose (model/chosen_frames.hpp), all in one pass.
///
/// Notation: F is a frame, d_k the way from the origin of body k to that of F, c_k and z_k the linear velocity of F's
/// origin and the angular velocity of F if joint k moves at unit speed, nu_k = c_k v_k, lambda(k) the parent. All are in
/// the axes of the world. Then
///
///     velocity of F's origin       sum of nu_k
///     its acceleration             sum of c_k a_k + (w_k + w_lambda(k)) x nu_k
///     angular acceleration of F    sum of z_k a_k + w_lambda(k) x z_k v_k
///
/// The sums run over the bodies on the way to F. Source: the velocity and acceleration of a point of a moving frame
/// (Featherstone, RBDA sections 2.9 to 2.11), put into each other along the way; the terms w x (w x d) meet in w + w.
/// Joints with several degrees of freedom fit in as they are, with nu_k for all of them together.
namespace featherline::algorithms {

/// Outputs p, R.
void frame_poses(Context<Scalar>& context);
/// Output V.
void frame_velocities(Context<Scalar>& context);
/// Output A.
void frame_accelerations(Context<Scalar>& context);
/// Output J.
void frame_jacobians(Context<Scalar>& context);
/// Output b.
void frame_bias(Context<Scalar>& context);
/// Output dV_dq.
void frame_velocity_derivatives(Context<Scalar>& context);
/// Outputs dA_dq, dA_dv.
void frame_acceleration_derivatives(Context<Scalar>& context);
/// Outputs p, R, V, J, b.
void frame_kinematics(Context<Scalar>& context);

/// Whether equal limbs carry equally many frames of the same kinds, so that lanes have one frame each.
bool frames_fit_limbs(const model::Tree& tree);

}  // namespace featherline::algorithms
