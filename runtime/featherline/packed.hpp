// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// One structural non-zero of a dense output: dense[index] = sign * packed[source]. Entries that are equal or
/// opposite in every configuration share their source.
struct PackedEntry {
  int index, source, sign;
};

/// Copies a packed output to a dense one. It writes only the `count` entries listed. The others are zero in every
/// configuration, so it is enough to clear `dense` once, before the first call.
template <class S>
inline void unpack(const PackedEntry* entries, int count, const S* packed, S* dense) {
  for (int k = 0; k < count; ++k) {
    const S x = packed[entries[k].source];
    if (entries[k].sign < 0)
      dense[entries[k].index] = -x;
    else
      dense[entries[k].index] = x;
  }
}

}  // namespace featherline
