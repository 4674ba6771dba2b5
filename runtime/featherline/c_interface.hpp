// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/packed.hpp>
#include <featherline/reference_frame.hpp>

/// The code that all emitted C interfaces (`--c-api`) share.
namespace featherline::c_interface {

/// The result of a function if its link or frame does not exist. It then writes no output.
inline constexpr int no_such_index = -1;

static_assert(static_cast<int>(ReferenceFrame::local_world_aligned) == 0 &&
                  static_cast<int>(ReferenceFrame::local) == 1 &&
                  static_cast<int>(ReferenceFrame::world) == 2,
              "the emitted C headers number the frames");

constexpr bool is_index(int i, int count) { return i >= 0 && i < count; }
constexpr bool is_frame(int frame) { return is_index(frame, 3); }

/// Copies the table of a packed output to three arrays of `count` numbers, one for each column.
inline void copy_map(const PackedEntry* entries, int count, int* index, int* source, int* sign) {
  for (int k = 0; k < count; ++k) {
    index[k] = entries[k].index;
    source[k] = entries[k].source;
    sign[k] = entries[k].sign;
  }
}

}  // namespace featherline::c_interface
