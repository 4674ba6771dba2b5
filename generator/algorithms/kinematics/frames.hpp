#pragma once

#include "algorithms/context.hpp"

/// The frames that the user chose (model/chosen_frames.hpp), all in one pass. frame_motion.hpp has
/// the equations.
namespace featherline::algorithms {

/// Outputs p, R.
void frame_poses(Context& context);
/// Output V.
void frame_velocities(Context& context);
/// Output A.
void frame_accelerations(Context& context);
/// Output J.
void frame_jacobians(Context& context);
/// Output b.
void frame_bias(Context& context);
/// Output dV_dq.
void frame_velocity_derivatives(Context& context);
/// Outputs dA_dq, dA_dv.
void frame_acceleration_derivatives(Context& context);
/// Outputs p, R, V, J, b.
void frame_kinematics(Context& context);

/// Whether equal limbs carry equally many frames of the same kinds, so that lanes have one frame each.
bool frames_fit_limbs(const model::Tree& tree);

}  // namespace featherline::algorithms
