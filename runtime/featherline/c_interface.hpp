// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/packed.hpp>
#include <featherline/reference_frame.hpp>

/// What the emitted C interfaces (`--c-api`) share.
namespace featherline::c_interface {

/// Result of a function that was given a link or a frame that does not exist: nothing has been written.
inline constexpr int no_such_index = -1;

static_assert(static_cast<int>(ReferenceFrame::local_world_aligned) == 0 &&
                  static_cast<int>(ReferenceFrame::local) == 1 &&
                  static_cast<int>(ReferenceFrame::world) == 2,
              "the emitted C headers number the frames");

constexpr bool is_index(int i, int count) { return i >= 0 && i < count; }
constexpr bool is_frame(int frame) { return is_index(frame, 3); }

/// The columns of the table of a packed output as three arrays of `count` numbers.
inline void copy_map(const PackedEntry* entries, int count, int* index, int* source, int* sign) {
  for (int k = 0; k < count; ++k) {
    index[k] = entries[k].index;
    source[k] = entries[k].source;
    sign[k] = entries[k].sign;
  }
}

}  // namespace featherline::c_interface
