#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

namespace featherline::model {

/// What --contact-joints may name.
inline constexpr const char *joint_limits = "limits", *joint_friction = "friction";

/// The joints with one coordinate of their own that have limits or Coulomb friction, of what `parts` names, ascending.
/// Throws UsageError where no joint has what is named.
std::vector<ContactJoint> choose_contact_joints(const UserTree& tree, const std::vector<std::string>& parts);

}  // namespace featherline::model
