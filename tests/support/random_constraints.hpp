#pragma once

#include "model/tree.hpp"

#include <cstdint>

namespace featherline::test {

/// Contacts, then loops, wheels and directions without sliding, at random places in random links; every type in turn.
/// Equal limbs carry equal ones, in links of their own. A loop ties two bodies, or a body to the world, but no two
/// equal limbs. There may be more rows than the robot has freedom.
model::Constraints random_constraints(const model::UserTree& tree, std::uint64_t seed, int count = 4);

/// Takes the motors from all coordinates but those of equal limbs.
void leave_motors_to_limbs(model::UserTree& tree);

/// A contact at the frame of a link.
model::Constraint contact_at(const model::Tree& tree, const std::string& link, model::ConstraintType type);

/// The constraints with their rows numbered.
model::Constraints numbered(std::vector<model::Constraint> all);

}  // namespace featherline::test
