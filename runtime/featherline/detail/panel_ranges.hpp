// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_rows.hpp>
#include <featherline/detail/panel_tree.hpp>

/// Which rows of a matrix or tensor belong to an axis, for featherline/panels.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Up to four rows that follow each other: their first slot and coordinate, and how many rows of the range are left.
struct PanelRows {
  int slot, row, count;
};

/// Whether joints share coordinates. Those of a floating base are the only ones without a slot.
template <class Tree>
bool shares_coordinates() {
  return Tree::num_slots + (Tree::floating ? 6 : 0) > Tree::nv;
}

// Entries of a result. Those of joints that share a coordinate add up, on arrays that hold zeros first.

template <class Tree, class S>
FEATHERLINE_INLINE void store_entry(const S& x, S* to) {
  if (shares_coordinates<Tree>()) {
    *to = *to + x;
  } else {
    *to = x;
  }
}
/// The first `count` numbers of a row.
template <class Tree, class S>
FEATHERLINE_INLINE void store_rows(const Row<S>& x, int count, S* to) {
  if (count >= row_width) return (shares_coordinates<Tree>() ? x + Row<S>::load(to) : x).store(to);
  store_entry<Tree>(x[0], to);
  if (count > 1) store_entry<Tree>(x[1], to + 1);
  if (count > 2) store_entry<Tree>(x[2], to + 2);
}
template <class Tree, class S>
FEATHERLINE_INLINE void store_vector(const algebra::Vector3<S>& x, S* to) {
  store_entry<Tree>(x.x, to);
  store_entry<Tree>(x.y, to + 1);
  store_entry<Tree>(x.z, to + 2);
}

template <class Tree>
struct PanelRanges {
  /// Where a floating base has slots of its own, in tables of second derivatives.
  static constexpr int base_slot = whole_rows(Tree::max_places) + row_width;

  /// The axes of the joint of a slot.
  static int first_of_joint(int slot) {
    if constexpr (Tree::single_axes) {
      return slot;
    } else {
      return Tree::joints[slot];
    }
  }
  static int end_of_joint(int slot) {
    int end = slot + 1;
    if constexpr (!Tree::single_axes) {
      while (end < Tree::num_slots && Tree::joints[end] == Tree::joints[slot]) ++end;
    }
    return end;
  }

  /// Visits the rows of a range from slot `from` on.
  template <class Visit>
  FEATHERLINE_INLINE static void for_each_rows(const PanelRange& range, int from, const Visit& visit) {
    const int end = range.first + range.count;
    for (int slot = from > range.first ? from : range.first; slot < end; slot += row_width)
      visit(PanelRows{slot, range.row + slot - range.first, end - slot});
  }

  /// Visits the ranges of all slots above the joint that begins with slot `own` of a segment; first those of a floating
  /// base if asked for.
  template <class Visit>
  FEATHERLINE_INLINE static void for_each_range_above(const PanelSegment& segment, int own, bool with_base,
                                                      const Visit& visit) {
    for (int r = segment.above_begin - (with_base ? 1 : 0); r <= segment.above_end; ++r) {
      visit(r < segment.above_begin ? PanelRange{base_slot, 6, 0}
            : r < segment.above_end ? Tree::ranges[r]
                                    : PanelRange{segment.first, own - segment.first, segment.row});
    }
  }
  template <class Visit>
  FEATHERLINE_INLINE static void for_each_rows_above(const PanelSegment& segment, int own, bool with_base,
                                                     const Visit& visit) {
    for_each_range_above(segment, own, with_base, [&](const PanelRange& range) FEATHERLINE_INLINE_LAMBDA {
      for_each_rows(range, 0, visit);
    });
  }
  /// The rows of this joint and of all joints behind it.
  template <class Visit>
  FEATHERLINE_INLINE static void for_each_rows_below(const PanelSegment& segment, int own,
                                                     const Visit& visit) {
    for (int r = segment.below_begin; r < segment.below_end; ++r) for_each_rows(Tree::ranges[r], own, visit);
  }
  /// The rows of all slots.
  template <class Visit>
  FEATHERLINE_INLINE static void for_all_rows(const Visit& visit) {
    for (int r = Tree::all_begin; r < Tree::all_end; ++r) for_each_rows(Tree::ranges[r], 0, visit);
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
