#pragma once

#include "model/tree.hpp"

#include <string>
#include <vector>

/// Which joints have motors (--actuated), and whose limits and friction are contacts (--contact-joints).
namespace featherline::model {

/// The coordinates of v that no motor acts on, ascending (Constraints::without_motor). Joints that have motors are
/// named; without names all have one but free joints and those that loops go through. Throws UsageError for a name that
/// is not that of a joint with a motor, or stands there twice.
std::vector<int> coordinates_without_motor(const description::Description& description, const UserTree& tree,
                                           const std::vector<std::string>& named);

/// The bodies whose joints loops go through, ascending: those between the two ends of a loop.
std::vector<int> bodies_in_loops(const Tree& tree);

/// What --contact-joints may name.
inline constexpr const char *joint_limits = "limits", *joint_friction = "friction";

/// The joints with one coordinate of their own that have limits or Coulomb friction, of what `parts` names, ascending.
/// Throws UsageError where no joint has what is named.
std::vector<ContactJoint> choose_contact_joints(const UserTree& tree, const std::vector<std::string>& parts);

}  // namespace featherline::model
