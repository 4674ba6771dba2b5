#pragma once

#include "model/tree.hpp"

namespace featherline::model {

/// Base parameters: moves the part of each body's inertia that its joint cannot feel to the parent (design notes
/// 3.2; Gautier and Khalil's grouping relations). For a revolute joint about z that is the mass, the first moment
/// along z and alpha (1 - z z^T); for a prismatic one the six rotational entries; for a spherical one the mass.
/// Joint torques and all their derivatives stay the same; link inertias lose their physical meaning. Expects a
/// canonical tree.
Tree regroup_inertias(const Tree& tree);

/// The part of `inertia` (about the joint's frame, axis z) that the joint cannot feel.
Inertia unfelt_part(const Joint& joint, const Inertia& inertia);

}  // namespace featherline::model
