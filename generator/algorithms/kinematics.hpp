#pragma once

#include "algorithms/context.hpp"

/// Functions that take a link. They call featherline/kinematics.hpp, which walks from the world to the link by the
/// steps of ir::LinkWalk. A step computes the pose of its body in the world from that of the parent:
///
/// inputs:  parent(12): R_WP column-major, then p_WP (absent when the parent is the world);
///          q(nq of the joint): its own coordinates, times the mimic multiplier; the step adds the offset;
///          sc(2): sine and cosine of the joint's angle, for joints with one angle only (absent otherwise; angle_of()).
/// outputs: pose(12): R_WB column-major, then p_WB;
///          axes(6 nv of the joint): for each degree of freedom [linear; angular] velocity of the body frame's
///          origin and of the body for a unit joint velocity, in world axes.
namespace featherline::algorithms {

void forward_kinematics(Context<Scalar>& context);
void frame_jacobian(Context<Scalar>& context);

}  // namespace featherline::algorithms
