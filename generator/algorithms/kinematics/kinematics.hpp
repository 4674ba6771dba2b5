#pragma once

#include "algorithms/context.hpp"

/// Functions that take a link. They call featherline/kinematics.hpp, which walks from the world to the link by the
/// steps of ir::LinkWalk. A step computes the pose of its body in the world from that of the parent. Its inputs are:
///
///   parent(4)  columns of the parent's pose: the axes of its frame and its origin. Absent when the parent is the world
///   q          of the robot; behind it, if the function has chosen parameters, placements and positions that follow from them
///   sn, cs     sines and cosines of the joints on the path. Absent for joints without an angle (JointRow::angle())
///
/// and its output is pose(4), columns, too; of a body that hangs on the world entries(12), R_WB column-major, then
/// p_WB: most of these are zero.
///
/// The axes of the joint need no computation: they are columns of the pose (kinematics::axis_of()).
namespace featherline::algorithms {

void forward_kinematics(Context& context);
void frame_jacobian(Context& context);

// The frames that the user chose (model/chosen_frames.hpp), all in one pass. frame_motion.hpp has
// the equations.

/// Those outputs that the function has, of p, R, V, J, A, b, dV_dq, dA_dq, dA_dv. Without an input a, joint
/// accelerations are zero.
void frame_kinematics(Context& context);

/// Output J_p: rows as those of V, columns like the chosen parameters. What stands behind a placed joint moves with the
/// frame of the file where the joint is placed, and behind a geared one with the joint.
void frame_parameter_jacobians(Context& context);

/// Of the weighted sum of all entries of p and R: the derivatives along steps of q.
void frame_poses_vjp(Context& context);

/// Those outputs that the function has, of e and de_dq: how far the frames are from the poses wanted (frame_motion.hpp).
void frame_pose_errors(Context& context);

/// Whether equal limbs carry equally many frames of the same kinds, so that lanes have one frame each.
bool frames_fit_limbs(const model::Tree& tree);

/// Outputs p and R: the poses of all links. Ancestors are computed once, links at one place share their values.
void link_poses(Context& context);

/// Whether equal limbs carry equally many links, body by body.
bool links_fit_limbs(const model::Tree& tree);

}  // namespace featherline::algorithms
