#pragma once

#include "model/limbs.hpp"
#include "model/tree.hpp"

#include <vector>

namespace featherline::model {

/// How frames of joints with one axis are placed: where the origin is on the axis, and where x points.
enum class Frames {
  of_limbs,  ///< as chosen, but for equal limbs together: a number that is zero in one limb is zero in all of them
  chosen,  ///< so that many numbers are zero, which makes the equations short
  plain,   ///< +z is turned to the axis, the origin is where the robot's file has it
};

/// The same mechanism, with joints that have several axes (cylindrical, universal) split into joints with one axis
/// each. A tree without such joints is returned unchanged.
Tree split_joints(const Tree& tree);

/// Base inertial parameters. Moves the unidentifiable part of each body's inertia to the parent. These are the
/// grouping relations of Gautier and Khalil, "Direct calculation of minimum set of inertial parameters of serial
/// robots", 1990. Joint torques and all their derivatives stay the same. Inertias of links lose their physical
/// meaning. May be applied again, with another grouping.
///
/// What moves stands where both bodies move it alike: on the axis, in the centre, or, of a slide, as moments that turn
/// with both. So mass, centre of mass, momentum and kinetic energy of the robot stay the same, too, if what moves from
/// root bodies to the world is counted (Tree::grounded).
///
///   joint            unidentifiable part
///   revolute, z      mass, first moment along z, and alpha (1 - z z^T)
///   prismatic        the six entries of the rotational inertia
///   spherical        mass
CanonicalTree regroup_inertias(CanonicalTree tree, Grouping grouping = Grouping::second_moment_zz);

/// For each body, a frame at its origin in its present frame. In joints with one axis, +z is this axis.
std::vector<Placement> plain_frames(const Tree& tree);

/// The same mechanism in frames that make the equations short:
///  - rotors move into inertias, or become bodies of their own (without_rotors());
///  - joints with several axes become bodies with one degree of freedom each (split_joints);
///  - the unidentifiable part of a body's inertia has moved to the parent (regroup_inertias());
///  - in every joint with one axis, this axis is +z of the body frame;
///  - the origin on the axis and the direction of x are chosen for zeros in rotations, offsets and first moments;
///  - the part of a constant rotation about the joint axis becomes the `offset` of the joint, so that a quarter turn
///    costs nothing.
/// Coordinates, velocities, torques and the order of q do not change. Placements of links are given in the new
/// frames. Frames of floating, planar and spherical joints stay, because their velocities are defined in these
/// frames.
CanonicalTree canonicalise(const UserTree& tree, Frames frames = Frames::chosen);

/// What the grouping relations leave: sufficient, and minimal if gravity and the first joints do not hide more. `tree`
/// is in the user's frames. Where a joint does not feel some combination of its body's parameters, the parent has it
/// instead. The map then lacks that many of the body's columns.
BaseParameters group_parameters(const Tree& tree);

// What canonicalise() asks of frame_choice.cpp.

/// X_PB in canonical frames as the algorithms apply it: a constant part and an angle added to the joint's.
struct JointFrame {
  Placement X;
  double offset = 0.0;
};

/// Takes the rotation about the joint's own z axis out of E = Rz(a) Rx(b) if E then has more zeros. Quarter turns stay
/// in E, as permutations.
JointFrame split_offset(const Joint& joint, const Placement& X);

/// Below it, rounding of a joint's offset [m]: relative to the lengths it was computed from. Sums of the file's
/// numbers, such as those of welded links, are only right to the robot's size.
double offset_scale(const Tree& tree, const std::vector<Placement>& frames, std::size_t i, double size);

/// For each body, the pose of its canonical frame in its present frame. In joints with one axis, +z is this axis, as in
/// `frames`. The rest is chosen to minimise an estimate of the flops of inverse dynamics, by coordinate descent. The
/// candidates are frames that make an entry of a rotation, an offset or a first moment zero. No origin moves farther
/// than robot_size(). The effort is linear in the size of the tree. Bodies that have the same place in equal limbs of
/// `folding` try the same candidates at once.
std::vector<Placement> canonical_frames(const Tree& tree, const Folding& folding,
                                        std::vector<Placement> frames);

}  // namespace featherline::model
