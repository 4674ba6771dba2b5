// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_rows.hpp>
#include <featherline/detail/panel_tree.hpp>

#include <iterator>

/// Which rows of a matrix or tensor belong to an axis, for featherline/panels.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows that follow each other, as many as are computed at once: their first slot and coordinate, and how many rows of
/// the range are left.
struct PanelRows {
  int slot, row, count;
};

/// The robot's table, and what the routines ask of it. Their classes derive from it: that costs emitted code nothing,
/// because a table of constants is empty. Results are written `width` rows at a time.
template <class Tree, class S, int width>
class PanelRanges : public Tree {
  static constexpr bool known = is_known_tree<Tree>;
  static constexpr bool knows_single_axes = [] {
    if constexpr (known) {
      return Tree::single_axes;
    } else {
      return false;
    }
  }();

 public:
  explicit PanelRanges(const Tree& tree) : Tree(tree) {}

  static constexpr int known_places() {
    if constexpr (known) {
      return Tree::max_places;
    } else {
      return unknown;
    }
  }
  /// Where a floating base has slots of its own, in tables of second derivatives.
  constexpr int base_slot() const { return whole_rows_and<width>(Tree::max_places, 1); }

  // Tables that emitted code has of float and of double, or only for robots that need them.

  const TableReal<S>* turns() const {
    if constexpr (!known) {
      return Tree::turns.data();
    } else if constexpr (Tree::turns_only) {
      return nullptr;
    } else {
      return Tree::template turns<TableReal<S>>;
    }
  }
  const TableReal<S>* slides() const {
    if constexpr (!known) {
      return Tree::slides.data();
    } else if constexpr (Tree::turns_only) {
      return nullptr;
    } else {
      return Tree::template slides<TableReal<S>>;
    }
  }
  const TableReal<S>* placement(int body) const {
    if constexpr (known) {
      return Tree::template placements<TableReal<S>>[body];
    } else {
      return Tree::placements[body].data();
    }
  }
  const TableReal<S>* inertias(int row) const {
    if constexpr (known) {
      return Tree::template inertias<TableReal<S>>[row];
    } else {
      return Tree::inertias[row].data();
    }
  }
  FEATHERLINE_INLINE int direction(int slot) const {
    if constexpr (knows_single_axes) {
      return 2;
    } else {
      return Tree::directions[slot];
    }
  }

  /// Adds the numbers of all slots to those of their parents, from the leaves to the root. A chain's sum stays in
  /// registers: where each step read what the one before had just written, g++ 12 took 400 ns for the humanoid, not 90.
  template <int count>
  FEATHERLINE_INLINE void add_subtrees(S (*numbers)[count]) const {
    for (int k = num_segments(); k-- > 0;) {
      const PanelSegment& segment = Tree::segments[k];
      int slot = segment.first + segment.count - 1;
      Sum<S, count> sum(numbers[slot]);
      while (slot-- > segment.first) sum.add_to(numbers[slot]);
      sum.add_to(numbers[Tree::parents[segment.first]]);
    }
  }
  int num_segments() const { return static_cast<int>(std::size(Tree::segments)); }

  // Entries of a result. Those of joints that share a coordinate add up, on arrays that hold zeros first.

  /// Whether joints share coordinates. Those of a floating base are the only ones without a slot.
  FEATHERLINE_INLINE bool shares_coordinates() const {
    return Tree::num_slots + (Tree::floating ? 6 : 0) > Tree::nv;
  }
  FEATHERLINE_INLINE void store_entry(const S& x, S* to) const {
    if (shares_coordinates()) {
      *to = *to + x;
    } else {
      *to = x;
    }
  }
  /// The first `count` numbers of a row, at least one.
  FEATHERLINE_INLINE void store_rows(const Lanes<S, width>& x, int count, S* to) const {
    if (!shares_coordinates()) return store_first(x, count, to);
    if (count >= width) return (x + Lanes<S, width>::load(to)).store(to);
    if constexpr (width == 4) {
      to[0] = to[0] + x[0];
      if (count > 1) to[1] = to[1] + x[1];
      if (count > 2) to[2] = to[2] + x[2];
    } else {
      S added[width];
      x.store(added);
      for (int k = 0; k < count; ++k) to[k] = to[k] + added[k];
    }
  }
  /// The first `split` numbers of one row, and those behind them of another one.
  FEATHERLINE_INLINE void store_rows(const Lanes<S, width>& x, int split, const Lanes<S, width>& y, int count,
                                     S* to) const {
    if (shares_coordinates()) {
      S added[width], first[width];
      y.store(added);
      x.store(first);
      for (int k = 0; k < split; ++k) added[k] = first[k];
      return store_rows(Lanes<S, width>::load(added), count, to);
    }
    store_rows(y, count, to);
    store_first(x, split, to);
  }
  FEATHERLINE_INLINE void store_vector(const algebra::Vector3<S>& x, S* to) const {
    store_entry(x.x, to);
    store_entry(x.y, to + 1);
    store_entry(x.z, to + 2);
  }

  /// The axes of the joint of a slot.
  FEATHERLINE_INLINE int first_of_joint(int slot) const {
    if constexpr (knows_single_axes) {
      return slot;
    } else {
      return Tree::single_axes ? slot : Tree::joints[slot];
    }
  }
  FEATHERLINE_INLINE int end_of_joint(int slot) const {
    int end = slot + 1;
    if constexpr (knows_single_axes) return end;
    while (end < Tree::num_slots && first_of_joint(end) == first_of_joint(slot)) ++end;
    return end;
  }

  /// Visits the rows of a range from slot `from` on.
  template <class Visit>
  FEATHERLINE_INLINE static void for_each_rows(const PanelRange& range, int from, const Visit& visit) {
    const int end = range.first + range.count;
    for (int slot = from > range.first ? from : range.first; slot < end; slot += width)
      visit(PanelRows{slot, range.row + slot - range.first, end - slot});
  }

  /// Visits the ranges of all slots above the joint that begins with slot `own` of a segment; first those of a floating
  /// base if asked for.
  template <class Visit>
  FEATHERLINE_INLINE void for_each_range_above(const PanelSegment& segment, int own, bool with_base,
                                               const Visit& visit) const {
    for (int r = segment.above_begin - (with_base ? 1 : 0); r <= segment.above_end; ++r) {
      visit(r < segment.above_begin ? PanelRange{base_slot(), 6, 0}
            : r < segment.above_end ? Tree::ranges[r]
                                    : PanelRange{segment.first, own - segment.first, segment.row});
    }
  }
  template <class Visit>
  FEATHERLINE_INLINE void for_each_rows_above(const PanelSegment& segment, int own, bool with_base,
                                              const Visit& visit) const {
    for_each_range_above(segment, own, with_base, [&](const PanelRange& range) FEATHERLINE_INLINE_LAMBDA {
      for_each_rows(range, 0, visit);
    });
  }
  /// The rows of this joint and of all joints behind it.
  template <class Visit>
  FEATHERLINE_INLINE void for_each_rows_below(const PanelSegment& segment, int own,
                                              const Visit& visit) const {
    for (int r = segment.below_begin; r < segment.below_end; ++r) for_each_rows(Tree::ranges[r], own, visit);
  }
  /// The rows of all slots.
  template <class Visit>
  FEATHERLINE_INLINE void for_all_rows(const Visit& visit) const {
    for (int r = Tree::all_begin; r < Tree::all_end; ++r) for_each_rows(Tree::ranges[r], 0, visit);
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
