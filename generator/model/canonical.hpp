#pragma once

#include "model/tree.hpp"

#include <vector>

namespace featherline::model {

/// How frames of joints with one axis are placed: where the origin is on the axis, and where x points.
enum class Frames {
  of_limbs,  ///< as chosen, but for equal limbs together: a number that is zero in one limb is zero in all of them
  chosen,  ///< so that many numbers are zero, which makes the equations short
  plain,   ///< +z is turned to the axis, the origin is where the URDF has it
};

/// The longest distance along the tree between two joint origins or centres of mass [m]. It does not depend on where
/// the robot stands in the world.
double robot_size(const Tree& tree);

/// For each body, the pose of its canonical frame in its present frame. In joints with one axis, +z is this axis. The
/// rest is chosen to minimise an estimate of the flops of inverse dynamics, by coordinate descent. The candidates are
/// frames that make an entry of a rotation, an offset or a first moment zero. No origin moves farther than
/// robot_size(). The effort is linear in the size of the tree.
/// Bodies of a list in `together` have the same place in equal limbs and try the same candidates at once. Every body is
/// in one list.
std::vector<Placement> choose_frames(const Tree& tree);
std::vector<Placement> choose_frames(const Tree& tree, const std::vector<std::vector<int>>& together);

/// The same for Frames::plain.
std::vector<Placement> plain_frames(const Tree& tree);

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
