#pragma once

#include "model/tree.hpp"

#include <vector>

namespace featherline::model {

/// How the freedom in the frames of joints with one axis is spent.
enum class Frames {
  chosen,  ///< on zeros that make the equations short
  plain,   ///< not at all: the axis is turned to +z, the origin stays where the URDF has it
};

/// The longest way along the tree between two joint origins or centres of mass [m]; where the robot stands in the world
/// does not count.
double robot_size(const Tree& tree);

/// For each body the pose of its canonical frame in its present frame. Joints with one axis get it along +z; the
/// rest of the freedom is spent so that an estimate of inverse-dynamics flops is least (coordinate descent over
/// the frames that make some entry of a rotation, an offset or a first moment vanish). No origin moves farther than the
/// robot is large. Linear in the tree's size.
std::vector<Placement> choose_frames(const Tree& tree);

/// The same with axes along +z and origins as the URDF has them.
std::vector<Placement> plain_frames(const Tree& tree);

/// The same mechanism with a body for each motion of joints that have several axes (cylindrical, universal); a tree
/// without such joints comes back as it is.
Tree split_joints(const Tree& tree);

/// The same mechanism in frames that make the equations short:
///  - joints with several axes become bodies with one degree of freedom each (split_joints);
///  - what a joint cannot feel of its body's inertia has moved to the parent (regroup.hpp);
///  - every joint with one axis has it along +z of its body frame;
///  - the freedom that is left (where the origin sits on the axis, how x points) is spent on structural zeros of
///    rotations, offsets and first moments; the part of a constant rotation about the joint axis becomes the joint's
///    `offset`, so that offsets by a quarter turn cost nothing.
/// Coordinates, velocities, torques and the order of q do not change. Link placements follow their bodies.
/// Frames of joints that do not move on axes (floating, planar, spherical) stay where they are: their velocities are
/// defined there.
CanonicalTree canonicalise(const UserTree& tree, Frames frames = Frames::chosen);

}  // namespace featherline::model
