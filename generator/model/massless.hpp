#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

namespace featherline::model {

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
