#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>
#include <vector>

/// What is odd about inertias: those no matter has, and joints that move none.
namespace featherline::model {

/// Masses and inertias are those of matter. A negative mass or principal moment is an error, or a warning with
/// `allow_unphysical`: the equations are defined all the same. It is a warning in any case
///  - where it is within rounding of the link's own scale,
///  - where links welded to it outweigh it: only their sum moves,
///  - where nothing feels it: the link is welded to the world, or no joint turns it about the axis of that moment.
/// Warns of moments that are zero or break the triangle inequality, and of inertia without mass.
/// `tree` is what was built from `robot`.
void check_inertias(const urdf::Description& robot, const UserTree& tree, bool allow_unphysical,
                    Diagnostics& findings);

/// A joint whose motion meets no inertia in any configuration: the mass matrix is singular.
struct MasslessJoint {
  int body = -1;
  std::vector<int> links;  ///< indices into Tree::links of everything the joint moves
};

/// Joints above subtrees without any inertia (the topmost joint of each), and leaf joints whose own body has none
/// in a direction of motion (a point mass on a revolute axis). Mimics are left out: their driver feels the rest. So are
/// joints with armature.
std::vector<MasslessJoint> find_massless_joints(const UserTree& tree);

/// One warning per massless joint, naming it and its links. To be called when the joints have their armature.
void warn_massless(const UserTree& tree, const std::string& file, Diagnostics& findings);

}  // namespace featherline::model
