#pragma once

#include "algorithms/joints.hpp"

namespace featherline::algorithms {

/// One step outwards: the pose of `body` in the world from its parent's pose.
///
/// inputs:  parent(12): R_WP column-major, then p_WP (absent when the parent is the world);
///          q(nq of the joint): its own coordinates, times the mimic multiplier; the step adds the offset;
///          sc(2): sine and cosine of the joint's angle, for joints with one angle only (absent otherwise; angle_of()).
/// outputs: pose(12): R_WB column-major, then p_WB;
///          axes(6 nv of the joint): for each degree of freedom [linear; angular] velocity of the body frame's
///          origin and of the body for a unit joint velocity, in world axes.
ir::Function trace_pose_step(const model::CanonicalTree& tree, int body);

}  // namespace featherline::algorithms
