#pragma once

#include "model/tree.hpp"

namespace featherline::model {

/// Which entry the free parameter alpha of a revolute joint makes vanish.
enum class Grouping {
  second_moment_zz,  ///< J_xx + J_yy = J_zz: shortest J wd + w x J w (ur5 rnea: 283 flops, 302 with the other)
  J_xx,              ///< shortest where J itself is rotated and multiplied (ur5 derivatives: 947 flops, 961)
};

/// Base parameters: moves the part of each body's inertia that its joint cannot feel to the parent
/// (the grouping relations of Gautier and Khalil, "Direct calculation of minimum set of inertial parameters of serial
/// robots", 1990). For a revolute joint about z that is the mass, the first moment
/// along z and alpha (1 - z z^T); for a prismatic one the six rotational entries; for a spherical one the mass.
/// Joint torques and all their derivatives stay the same; link inertias lose their physical meaning. May be
/// applied again, with another choice.
CanonicalTree regroup_inertias(const CanonicalTree& tree, Grouping grouping = Grouping::second_moment_zz);

/// The same for a tree whose frames are still those of the URDF, with axes in any direction. Masses thus move before
/// frames are chosen: a frame that slides along its axis by s would otherwise add m s^2 to a body's inertia and take it
/// away again. That costs digits where s is a hundred times the body's size.
Tree regroup_where_written(const Tree& tree);

/// The part of `inertia` (about the joint's frame, axis z) that the joint cannot feel.
Inertia unidentifiable_part(const Joint& joint, const Inertia& inertia,
                            Grouping grouping = Grouping::second_moment_zz);

}  // namespace featherline::model
