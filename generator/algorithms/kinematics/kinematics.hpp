#pragma once

#include "algorithms/context.hpp"

/// Functions that take a link. They call featherline/kinematics.hpp, which walks from the world to the link by the
/// steps of ir::LinkWalk. A step computes the pose of its body in the world from that of the parent. Its inputs are:
///
///   parent(4)  columns of the parent's pose: the axes of its frame and its origin. Absent when the parent is the world
///   q          of the robot
///   sn, cs     sines and cosines of the joints on the path. Absent for joints without an angle (angle_of())
///
/// and its output is pose(4), columns, too; of a body that hangs on the world entries(12), R_WB column-major, then p_WB:
/// most of these are zero.
///
/// The axes of the joint need no computation: they are columns of the pose (kinematics::axis_of()).
namespace featherline::algorithms {

void forward_kinematics(Context& context);
void frame_jacobian(Context& context);

}  // namespace featherline::algorithms
