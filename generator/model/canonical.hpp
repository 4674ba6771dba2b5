#pragma once

#include "model/frame_choice.hpp"
#include "model/tree.hpp"

namespace featherline::model {

/// The same mechanism with cylindrical and universal joints as two bodies with one degree of freedom each; a tree without
/// such joints comes back as it is.
Tree split_two_axis_joints(const Tree& tree);

/// The same mechanism in frames that make the equations short:
///  - cylindrical and universal joints become two bodies with one degree of freedom each;
///  - what a joint cannot feel of its body's inertia has moved to the parent (regroup.hpp);
///  - every joint with one axis has it along +z of its body frame;
///  - the freedom that is left (where the origin sits on the axis, how x points) is spent on structural zeros of
///    rotations, offsets and first moments; the part of a constant rotation about the joint axis becomes the joint's
///    `offset`, so that offsets by a quarter turn cost nothing.
/// Coordinates, velocities, torques and the order of q do not change. Link placements follow their bodies.
/// Frames of floating, planar and spherical joints stay where the URDF has them: their velocities are defined there.
CanonicalTree canonicalise(const UserTree& tree, Frames frames = Frames::chosen);

}  // namespace featherline::model
