#pragma once

#include "description/description.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <vector>

/// Findings about inertias: inertias that no matter can have, and joints that move no inertia.
namespace featherline::model {

/// Checks that masses and inertias are possible. A negative mass or principal moment is an error. With
/// `allow_unphysical` it is a warning, because the equations are still defined. It is always a warning if
///  - it is within rounding of the scale of the link,
///  - links welded to the link outweigh it, because only their sum moves,
///  - it has no effect: the link is welded to the world, or no joint turns it about the axis of that moment.
/// It is also a warning if moments are zero or break the triangle inequality, or if a link has inertia but no mass.
/// `tree` was built from `robot`.
void check_inertias(const description::Description& robot, const UserTree& tree, bool allow_unphysical,
                    Diagnostics& findings);

/// A joint that moves no inertia in any configuration. It makes the mass matrix singular.
struct MasslessJoint {
  int body = -1;
  std::vector<int> links;  ///< indices into Tree::links of everything the joint moves
};

/// Finds the first joint of each subtree without inertia, and leaf joints whose body has no inertia in a direction of
/// motion, such as a point mass on a revolute axis. Mimics do not count, because their driver moves other inertia.
/// Joints with armature do not count either.
std::vector<MasslessJoint> find_massless_joints(const UserTree& tree);

/// Reports a warning for each massless joint, with its name and its links. Call it after the armature of the joints
/// is set.
void warn_massless(const UserTree& tree, Diagnostics& findings);

}  // namespace featherline::model
