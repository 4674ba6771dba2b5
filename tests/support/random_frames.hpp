#pragma once

#include "model/tree.hpp"

#include <cstdint>

namespace featherline::test {

/// Frames at random places in random links, some of them position-only. Equal limbs carry equal ones, in links of
/// their own. Axes are local_world_aligned, local and world in turn.
model::ChosenFrames random_frames(const model::UserTree& tree, std::uint64_t seed, int count = 4);

}  // namespace featherline::test
