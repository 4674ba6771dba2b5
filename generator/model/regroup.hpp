#pragma once

#include "model/tree.hpp"

namespace featherline::model {

/// The entry of the inertia that the free parameter alpha of a revolute joint makes zero.
enum class Grouping {
  second_moment_zz,  ///< J_xx + J_yy = J_zz: shortest J wd + w x J w (ur5 rnea: 283 flops, 302 with the other)
  J_xx,              ///< shortest where J itself is rotated and multiplied (ur5 derivatives: 947 flops, 961)
};

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
CanonicalTree regroup_inertias(const CanonicalTree& tree, Grouping grouping = Grouping::second_moment_zz);

/// The same for a tree in the frames of the URDF, with axes in any direction. Masses then move before frames are
/// chosen. Otherwise a frame that moves along its axis by s would add m s^2 to the inertia of a body, and regrouping
/// would subtract it again. This costs digits if s is a hundred times the size of the body.
Tree regroup_where_written(const Tree& tree);

/// The part of `inertia` that has no effect on the torques of the joint. `inertia` is in the joint's frame; the axis
/// is z.
Inertia unidentifiable_part(const Joint& joint, const Inertia& inertia,
                            Grouping grouping = Grouping::second_moment_zz);

}  // namespace featherline::model
