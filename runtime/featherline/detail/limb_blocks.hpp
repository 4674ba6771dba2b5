// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

/// The shape of trees whose M^-1 is computed by blocks (detail/block_inverse.hpp): a trunk, and limbs that hang on it.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Numbers in a row of a block: limbs have so many coordinates at most.
inline constexpr int block_size = 8;
/// Rows of a trunk fill two vectors if it is longer than a limb. Those of longer ones would not fit 32 registers.
inline constexpr int longest_trunk = 12;
inline constexpr int most_limbs = 16, most_block_coordinates = 64;

/// Coordinates that follow each other: those of a limb, or of a part of the trunk.
struct Limb {
  short begin, count;
  short above;  ///< how many coordinates of the trunk are above it
};

/// A coordinate with more than block_size coordinates at or behind it belongs to the trunk. All others belong to limbs.
/// The trunk and the limbs have to be chains: above a limb are then the first coordinates of the trunk. Vectors reach
/// beyond a limb, so they also read entries of other limbs: unrolled_inverse::clear_inertia()
/// has made those zero.
struct LimbBlocks {
  bool exist = false;
  int trunk_count = 0, limb_count = 0;
  short trunk[longest_trunk] = {};
  Limb limbs[most_limbs] = {};
};

/// The blocks of n coordinates. are_related(i, k) says whether two of them lie on one path.
template <class Relation>
constexpr LimbBlocks limb_blocks_of(int n, const Relation& are_related) {
  LimbBlocks blocks;
  for (int k = 0; k < n;) {
    int behind = 0, above = 0;
    for (int i = k; i < n; ++i) behind += are_related(i, k) ? 1 : 0;
    for (int t = 0; t < blocks.trunk_count; ++t) above += are_related(blocks.trunk[t], k) ? 1 : 0;
    if (behind > block_size) {
      if (above < blocks.trunk_count || above == longest_trunk) return {};
      blocks.trunk[blocks.trunk_count++] = static_cast<short>(k++);
    } else {
      for (int i = k; i < k + behind; ++i) {
        for (int j = k; j < i; ++j) {
          if (!are_related(i, j)) return {};
        }
      }
      if (blocks.limb_count == most_limbs) return {};
      blocks.limbs[blocks.limb_count++] = {static_cast<short>(k), static_cast<short>(behind),
                                           static_cast<short>(above)};
      k += behind;
    }
  }
  blocks.exist = blocks.trunk_count > 0 && blocks.limb_count > 1;
  return blocks;
}

/// Numbers in which M^-1 of n coordinates is kept for products (BlockParts), with what aligns them: enough for all
/// scalars and registers.
constexpr int size_of_parts(const LimbBlocks& blocks, int n) {
  constexpr int longest_vector = 16, longest_own_row = 40;
  const int trunk_stride = (blocks.trunk_count + block_size - 1) / block_size * block_size;
  return blocks.trunk_count * (n + longest_vector) +
         (n - blocks.trunk_count) * (longest_own_row + trunk_stride) + longest_vector;
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
