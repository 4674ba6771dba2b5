// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/axis_tree.hpp>
#include <featherline/detail/known_indices.hpp>

/// What the compiler works out about a robot's tree (axis_tree.hpp) for unrolled_inverse.hpp. All of it is by
/// coordinates. Coordinates nearer to the root have smaller indices.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// The last coordinate of the joint that axis p hangs on, -1 at the root.
template <class Axes>
constexpr int coordinate_above(const Axes& axes, int p) {
  if (axes[p].parent < 0) return -1;
  const auto& parent = axes[axes[p].parent];
  return axes[parent.first + parent.count - 1].idx_v;
}

/// Whether coordinates form a tree, as joints do: every one is behind those that its joint hangs on, and joints that
/// share one hang on the same ones, like two fingers of a hand.
template <class Axes>
constexpr bool coordinates_form_tree(const Axes& axes, int num_axes) {
  for (int p = 0; p < num_axes; ++p) {
    const int above = coordinate_above(axes, p);
    if (above >= axes[axes[p].first].idx_v) return false;
    for (int q = 0; q < p; ++q) {
      if (axes[q].idx_v == axes[p].idx_v && coordinate_above(axes, q) != above) return false;
    }
  }
  return true;
}

/// Whether all coordinates are taken to be related, because those that joints share fill the factor.
template <class Tree>
constexpr bool fills_factor() {
  return Tree::coupled && !coordinates_form_tree(Tree::axes, Tree::num_axes);
}

/// Which coordinates lie on a common path from the root. `full` says that all are taken to do so.
template <class Tree, bool full>
struct Relations {
  static constexpr int n = Tree::nv;

  bool related[n][n] = {};
  short joint[n] = {};                       ///< first coordinate of the joint that it belongs to
  short height[n] = {}, depth[n] = {};       ///< most coordinates on the way to a leaf, to the root
  short upwards[n] = {}, downwards[n] = {};  ///< all coordinates in the order of height, and of depth

  constexpr Relations() {
    for (int p = 0; p < Tree::num_axes; ++p) {
      for (int t = p; t >= 0; t = Tree::axes[t].parent) relate(p, Tree::axes[t]);
      joint[Tree::axes[p].idx_v] = static_cast<short>(Tree::axes[Tree::axes[p].first].idx_v);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) related[i][j] = related[i][j] || full;
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < k; ++i) lower(depth[k], depth[i], related[k][i]);
      for (int i = n - k; i < n; ++i) lower(height[n - 1 - k], height[i], related[n - 1 - k][i]);
    }
    sort(height, upwards);
    sort(depth, downwards);
  }

 private:
  constexpr void relate(int p, const AxisInfo& above) {
    for (int c = 0; c < above.count; ++c) {
      const int j = Tree::axes[p].idx_v, k = Tree::axes[above.first + c].idx_v;
      related[j][k] = related[k][j] = true;
    }
  }
  static constexpr void lower(short& level, short other, bool is_related) {
    if (is_related && level < other + 1) level = static_cast<short>(other + 1);
  }
  static constexpr void sort(const short (&level)[n], short (&order)[n]) {
    int place = 0;
    for (int wanted = 0; wanted < n; ++wanted) {
      for (int k = 0; k < n; ++k) {
        if (level[k] == wanted) order[place++] = static_cast<short>(k);
      }
    }
  }
};

template <class Tree, bool full>
inline constexpr Relations<Tree, full> relations{};

/// Coordinates from `begin` up to, but without, `end`.
struct Range {
  short begin, end;
};

/// Consecutive coordinates that are related to the same others. Their list of ranges says to which, themselves
/// included.
struct Segment {
  short begin, end;
  short first_range, num_ranges;
};

/// Segments are cut at this length, because their inner products are unrolled. With 8 coordinates, M^-1 of 35
/// coordinates takes 800 ns and 15 KB. With 4 it takes 900 ns and 13 KB, with 3 1,000 ns.
inline constexpr int max_segment = 8;

/// How many segments and ranges there are.
struct SegmentCount {
  int segments = 0, ranges = 0;
};

template <class Tree, bool full>
constexpr bool begins_segment(int k, int length) {
  if (k == 0 || length == max_segment) return true;
  for (int i = 0; i < Tree::nv; ++i) {
    if (relations<Tree, full>.related[k][i] != relations<Tree, full>.related[k - 1][i]) return true;
  }
  return false;
}

template <class Tree, bool full>
constexpr bool begins_range(int k, int i) {
  const auto& related = relations<Tree, full>.related[k];
  return related[i] && (i == 0 || !related[i - 1]);
}

template <class Tree, bool full>
constexpr SegmentCount count_segments() {
  SegmentCount count;
  for (int k = 0, length = 0; k < Tree::nv; ++k, ++length) {
    if (!begins_segment<Tree, full>(k, length)) continue;
    length = 0;
    ++count.segments;
    for (int i = 0; i < Tree::nv; ++i) count.ranges += begins_range<Tree, full>(k, i) ? 1 : 0;
  }
  return count;
}

/// The segments of a tree in ascending order. What is not unrolled reads this table.
template <class Tree, bool full>
struct Segments {
  static constexpr int count = count_segments<Tree, full>().segments;
  Segment rows[count] = {};
  Range ranges[count_segments<Tree, full>().ranges] = {};

  constexpr Segments() {
    int g = -1, r = -1;
    for (int k = 0; k < Tree::nv; ++k) {
      if (begins_segment<Tree, full>(k, g < 0 ? 0 : k - rows[g].begin)) {
        rows[++g] = {static_cast<short>(k), 0, static_cast<short>(r + 1), 0};
        for (int i = 0; i < Tree::nv; ++i) {
          if (begins_range<Tree, full>(k, i)) ranges[++r].begin = static_cast<short>(i);
          if (relations<Tree, full>.related[k][i]) ranges[r].end = static_cast<short>(i + 1);
        }
        rows[g].num_ranges = static_cast<short>(r + 1 - rows[g].first_range);
      }
      rows[g].end = static_cast<short>(k + 1);
    }
  }
  constexpr int length(int g) const { return rows[g].end - rows[g].begin; }
  constexpr int longest() const {
    int most = 0;
    for (int g = 0; g < count; ++g) most = length(g) > most ? length(g) : most;
    return most;
  }
  /// In how many passes all coordinates are treated if `together` coordinates of a segment share one.
  constexpr int passes(int together) const {
    int sum = 0;
    for (int g = 0; g < count; ++g) sum += length(g) / together + length(g) % together;
    return sum;
  }
};

template <class Tree, bool full>
inline constexpr Segments<Tree, full> segments{};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
