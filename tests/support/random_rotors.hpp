#pragma once

#include "description/description.hpp"

#include <cstdint>

namespace featherline::test {

/// Gives joints with one coordinate rotors of all kinds: on the parent, the child, or any link that a joint moves,
/// about the joint's axis or about others, with and without masses that the links leave out. Some joints get two.
void add_random_rotors(description::Description& robot, std::uint64_t seed);

/// The same robot with each rotor as a link of its own, which mimics the joint and stands at a random angle: other
/// angles for other seeds. A mass that the carrier includes is taken out of it. Links that follow those of `robot` are
/// rotors.
description::Description with_rotors_as_links(description::Description robot, std::uint64_t seed);

}  // namespace featherline::test
