#pragma once

#include "model/frame_choice.hpp"

#include <vector>

namespace featherline::model {

/// How frames of joints with one axis are placed: where the origin is on the axis, and where x points.
enum class Frames {
  of_limbs,  ///< as chosen, but for equal limbs together: a number that is zero in one limb is zero in all of them
  chosen,  ///< so that many numbers are zero, which makes the equations short
  plain,   ///< +z is turned to the axis, the origin is where the URDF has it
};

/// The same mechanism, with joints that have several axes (cylindrical, universal) split into joints with one axis
/// each. A tree without such joints is returned unchanged.
Tree split_joints(const Tree& tree);

/// The same mechanism in frames that make the equations short:
///  - joints with several axes become bodies with one degree of freedom each (split_joints);
///  - the unidentifiable part of a body's inertia has moved to the parent (regroup.hpp);
///  - in every joint with one axis, this axis is +z of the body frame;
///  - the origin on the axis and the direction of x are chosen for zeros in rotations, offsets and first moments;
///  - the part of a constant rotation about the joint axis becomes the `offset` of the joint, so that a quarter turn
///    costs nothing.
/// Coordinates, velocities, torques and the order of q do not change. Placements of links are given in the new
/// frames. Frames of floating, planar and spherical joints stay, because their velocities are defined in these
/// frames.
CanonicalTree canonicalise(const UserTree& tree, Frames frames = Frames::chosen);

}  // namespace featherline::model
