// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/row_vectors.hpp>

/// M = L^T D L (Featherstone, RBDA table 6.3), and the inverse of L, by rows in vectors.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Row i holds three things side by side. Left of the diagonal it holds row i of D L. On the diagonal is D(i). Right of
/// it is row i of L^-T D. One elimination makes them all:
///
///   row_i -= L(k, i) row_k for all k below i in the tree, the deepest first.
///
/// Before the turn of k, column k of row i holds D(k) L(k, i). So 2 D(k) stands on the diagonal of row k. The
/// subtraction then leaves -D(k) L(k, i), with which column k of L^-T D begins.
///
/// A tree with zeros has vectors that are all zero. The pattern of the tree is known at compile time, and these vectors
/// do not occur in the code.
template <class Tree, class S>
class InertiaRows {
 public:
  static constexpr int n = Tree::nv;
  static constexpr bool full = Tree::coupled;  // joints that share coordinates fill the factor

  /// Every row in straight-line code.
  FEATHERLINE_INLINE void factor_unrolled(const S* M) { each_row(M, UpTo<n>{}); }

  /// Sets zeros that factor_by_segments() leaves out.
  void clear() { featherline::clear<n * Rows::stride>(scaled_.data); }
  /// Straight-line code for what lies inside a segment. Loops subtract its rows from those above it.
  FEATHERLINE_INLINE void factor_by_segments(const S* M) {
    copy_inner(M, UpTo<table().count>{});
    each_level(M, UpTo<n>{});
  }

  /// L left of the diagonal, 1 on it, and 1 / D(i) times row i of L^-T D right of it.
  const AlignedRows<n, S>& scaled() const { return scaled_; }
  const S* inverse_D() const { return inverse_D_; }

  /// Whether vector v of row i has entries that are not known to be zero.
  static constexpr bool has(int i, int v) {
    for (int k = 0; k < Rows::width; ++k) {
      if (relations<Tree, full>.related[i][Rows::offset(v) + k]) return true;
    }
    return false;
  }

 private:
  using Rows = RowVectors<n, S>;
  using Vector = typename Rows::Vector;
  using Vectors = UpTo<Rows::count>;

  static constexpr const Segments<Tree, full>& table() { return segments<Tree, full>; }

  // One row in registers.

  template <int i, int v>
  FEATHERLINE_INLINE static void load(const S* row, Vector& x) {
    if constexpr (has(i, v)) x = Rows::load(row + Rows::offset(v));
  }
  template <int k, int v>
  FEATHERLINE_INLINE void subtract(const S& l, Vector& x) const {
    if constexpr (has(k, v)) x -= Rows::load(rows_[k] + Rows::offset(v)) * l;
  }
  /// Subtracts L(k, i) row_k, if k is below i.
  template <int i, int k, int... v>
  FEATHERLINE_INLINE void subtract_row(Vector* x, std::integer_sequence<int, v...>) const {
    if constexpr (relations<Tree, full>.related[i][k]) {
      const S l = scaled_[k][i];
      (subtract<k, v>(l, x[v]), ...);
    }
  }
  /// Subtracts the rows from `last` down to `last` - sizeof...(m) + 1.
  template <int i, int last, int... m>
  FEATHERLINE_INLINE void subtract_rows([[maybe_unused]] Vector* x, std::integer_sequence<int, m...>) const {
    (subtract_row<i, last - m>(x, Vectors{}), ...);
  }
  template <int i, int v>
  FEATHERLINE_INLINE void keep(Vector x, const S& D, const S& inverse) {
    if constexpr (has(i, v)) {
      constexpr int place = i - Rows::offset(v);
      Rows::store(x * inverse, scaled_[i] + Rows::offset(v));
      if constexpr (place >= 0 && place < Rows::width) x[place] = D + D;
      Rows::store(x, rows_[i] + Rows::offset(v));
    }
  }
  /// Row i, which begins as `from`, minus rows from `last` on down to that behind i.
  template <int i, int last, int... v>
  FEATHERLINE_INLINE void make_row(const S* from, std::integer_sequence<int, v...>) {
    Vector x[Rows::count];
    (load<i, v>(from, x[v]), ...);
    subtract_rows<i, last>(x, UpTo<last - i>{});
    constexpr int own = i / Rows::width;
    const S D = x[own][i - Rows::offset(own)];
    const S inverse = S(1.0) / D;
    inverse_D_[i] = inverse;
    (keep<i, v>(x[v], D, inverse), ...);
  }

  // All rows unrolled. Rows of different limbs take turns, because their divisions do not wait for each other.

  template <int... k>
  FEATHERLINE_INLINE void each_row(const S* M, std::integer_sequence<int, k...>) {
    (make_row<relations<Tree, full>.upwards[k], n - 1>(M + n * relations<Tree, full>.upwards[k], Vectors{}),
     ...);
  }

  // By segments. Segments at the same height are independent.

  static constexpr int height(int g) { return relations<Tree, full>.height[table().rows[g].end - 1]; }
  static constexpr bool occurs(int level) {
    for (int g = 0; g < table().count; ++g) {
      if (height(g) == level) return true;
    }
    return false;
  }
  template <int... level>
  FEATHERLINE_INLINE void each_level(const S* M, std::integer_sequence<int, level...>) {
    (make_level<level>(M), ...);
  }
  template <int level>
  FEATHERLINE_INLINE void make_level(const S* M) {
    if constexpr (occurs(level)) {
      insides<level>(M, UpTo<table().longest()>{});
      subtract_segments<level>(UpTo<table().count>{});
    }
  }
  template <int level, int... from_end>
  FEATHERLINE_INLINE void insides(const S* M, std::integer_sequence<int, from_end...>) {
    (inside<level, from_end>(M, UpTo<table().count>{}), ...);
  }
  template <int level, int from_end, int... g>
  FEATHERLINE_INLINE void inside(const S* M, std::integer_sequence<int, g...>) {
    (inside_of<level, from_end, g>(M), ...);
  }
  template <int level, int from_end, int g>
  FEATHERLINE_INLINE void inside_of(const S* M) {
    if constexpr (height(g) == level && from_end < table().length(g)) {
      constexpr int last = table().rows[g].end - 1, i = last - from_end;
      make_row<i, last>(level == 0 ? M + n * i : rows_[i], Vectors{});
    }
  }

  /// Rows from which others will be subtracted begin as rows of M.
  template <int... g>
  FEATHERLINE_INLINE void copy_inner(const S* M, std::integer_sequence<int, g...>) {
    (copy_segment<g>(M), ...);
  }
  template <int g>
  FEATHERLINE_INLINE void copy_segment(const S* M) {
    if constexpr (height(g) > 0) {
      for (int i = table().rows[g].begin; i < table().rows[g].end; ++i)
        copy_row<table().rows[g].begin>(M + n * i, rows_[i], Vectors{});
    }
  }
  template <int like, int... v>
  FEATHERLINE_INLINE static void copy_row(const S* from, S* to, std::integer_sequence<int, v...>) {
    (copy<like, v>(from + Rows::offset(v), to + Rows::offset(v)), ...);
  }
  template <int like, int v>
  FEATHERLINE_INLINE static void copy(const S* from, S* to) {
    if constexpr (has(like, v)) Rows::store(Rows::load(from), to);
  }

  template <int level, int... g>
  FEATHERLINE_INLINE void subtract_segments(std::integer_sequence<int, g...>) {
    (subtract_segment<level, g>(), ...);
  }
  template <int level, int g>
  FEATHERLINE_INLINE void subtract_segment() {
    if constexpr (height(g) == level) {
      constexpr Segment segment = table().rows[g];
      for (int r = 0; r < segment.num_ranges; ++r) {
        const Range range = table().ranges[segment.first_range + r];
        for (int i = range.begin; i < range.end && i < segment.begin; ++i)
          subtract_segment_from<g>(i, Vectors{}, UpTo<table().length(g)>{});
      }
    }
  }
  /// All vectors are read before one is written, because they may overlap.
  template <int g, int... v, int... m>
  FEATHERLINE_INLINE void subtract_segment_from(int i, std::integer_sequence<int, v...> vectors,
                                                std::integer_sequence<int, m...>) {
    constexpr int first = table().rows[g].begin, last = table().rows[g].end - 1;
    Vector x[Rows::count];
    (load<first, v>(rows_[i], x[v]), ...);
    (subtract_one<last - m>(scaled_[last - m][i], x, vectors), ...);
    (store<first, v>(x[v], rows_[i]), ...);
  }
  template <int k, int... v>
  FEATHERLINE_INLINE void subtract_one(const S& l, Vector* x, std::integer_sequence<int, v...>) const {
    (subtract<k, v>(l, x[v]), ...);
  }
  template <int i, int v>
  FEATHERLINE_INLINE static void store(const Vector& x, S* row) {
    if constexpr (has(i, v)) Rows::store(x, row + Rows::offset(v));
  }

  AlignedRows<n, S> rows_, scaled_;
  alignas(register_bytes) S inverse_D_[AlignedRows<n, S>::stride];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
