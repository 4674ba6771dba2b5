// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/row_vectors.hpp>

#include <algorithm>

/// Products with M^-1 of robots that stand in the world, such as arms. Their coordinates fall into groups: those of one
/// arm are related to nearly all of the same arm, and to none of another one.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Where the group that begins at `begin` ends: no coordinate behind it is related to one in it. are_related(i, k) says
/// whether two of the n coordinates lie on one path.
template <class Relation>
constexpr int end_of_group(int n, int begin, const Relation& are_related) {
  int end = begin + 1;
  for (int k = begin; k < end; ++k) {
    for (int i = end; i < n; ++i) end = are_related(i, k) ? i + 1 : end;
  }
  return end;
}

/// Longer groups have too many sums for the registers. Those with more zeros are left to segments.
inline constexpr int longest_group = 16, most_zeros_of_eight = 1;

/// Whether the coordinates are such groups. Of a floating base, the first joint of six axes, some columns are known.
template <class Relation>
constexpr bool has_dense_groups(int n, int axes_of_first_joint, const Relation& are_related) {
  bool dense = axes_of_first_joint <= 3;
  for (int begin = 0, end = 0; begin < n && dense; begin = end) {
    end = end_of_group(n, begin, are_related);
    const int length = end - begin;
    int zeros = 0;
    for (int k = begin; k < end; ++k) {
      for (int i = begin; i < end; ++i) zeros += are_related(i, k) ? 0 : 1;
    }
    dense = length <= longest_group && 8 * zeros <= most_zeros_of_eight * length * length;
  }
  return dense;
}

template <class Tree>
constexpr bool are_on_one_path(int i, int k) {
  return relations<Tree, false>.related[i][k];
}
template <class Tree>
constexpr bool has_dense_groups() {
  return has_dense_groups(Tree::nv, Tree::axes[0].count, are_on_one_path<Tree>);
}

/// -A B for a tree of dense groups, a few columns of a group at a time. Only rows of the group are multiplied: baxter,
/// whose arms have nine coordinates each, takes 3 vectors a column instead of 5.
template <class Tree, class S>
struct ProductOfGroups {
  static constexpr int n = Tree::nv;
  const AlignedRows<n, S>& A;
  const S* B;
  S* product;

  template <int begin = 0>
  FEATHERLINE_INLINE void all() const {
    if constexpr (begin < n) {
      constexpr int end = end_of_group(n, begin, are_on_one_path<Tree>);
      columns<begin, end, begin>();
      all<end>();
    }
  }

 private:
  static constexpr bool are_related(int q, int k, int column) { return are_on_one_path<Tree>(column + q, k); }
  static constexpr bool all_related(int k, int column, int count) {
    for (int q = 0; q < count; ++q) {
      if (!are_related(q, k, column)) return false;
    }
    return true;
  }
  /// The first row that one of these columns is not related to.
  static constexpr int end_of_common_rows(int begin, int end, int column, int count) {
    int k = begin;
    while (k < end && all_related(k, column, count)) ++k;
    return k;
  }
  /// As many at a time as fit the registers, and about equally many in each pass.
  template <int begin, int end, int column>
  FEATHERLINE_INLINE void columns() const {
    using Rows = RowVectors<end - begin, S>;
    constexpr int most = std::clamp((registers_for_sums - 2) / Rows::count, 1, 8);
    constexpr int passes = (end - begin + most - 1) / most, usual = (end - begin + passes - 1) / passes;
    if constexpr (column < end) {
      constexpr int count = std::min(usual, end - column);
      multiply<begin, end, column, count>();
      columns<begin, end, column + count>();
    }
  }

  /// All that is read of these columns is read before they are written, so B may be the product.
  template <int begin, int end, int column, int count>
  FEATHERLINE_INLINE void multiply() const {
    constexpr int common = end_of_common_rows(begin, end, column, count);
    const S* b = B + n * column;
    RowSums<end - begin, S, count> x;
    x.clear();
    for (int k = begin; k < common; ++k) x.subtract_row(A[k] + begin, b + k, n);
    each(Known<common>{}, Known<end>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA {
      each<are_related>(
          Known<0>{}, Known<count>{},
          [&](auto q) FEATHERLINE_INLINE_LAMBDA { x.template add_multiple<q>(A[k] + begin, -b[n * q + k]); },
          k, Known<column>{});
    });
    S* to = product + n * column;
    for (int q = 0; q < count; ++q) {
      clear<begin>(to + n * q);
      clear<n - end>(to + n * q + end);
    }
    x.store_all(to + begin, n);
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
