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
  static constexpr bool full = fills_factor<Tree>();

  /// Every row in straight-line code. Rows of different limbs take turns, because their divisions do not wait for each
  /// other.
  FEATHERLINE_INLINE void factor_unrolled(const S* M) {
    each(Known<0>{}, Known<n>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA {
      const auto i = known<upwards>(k);
      make_row(M + n * i, i, Known<n - 1>{});
    });
  }

  /// Sets zeros that factor_by_segments() leaves out.
  void clear() { featherline::clear<n * Rows::stride>(scaled_.data); }
  /// Straight-line code for what lies inside a segment. Loops subtract its rows from those above it. Segments at the
  /// same height are independent.
  FEATHERLINE_INLINE void factor_by_segments(const S* M) {
    each<is_inner>(Known<0>{}, segments_end, [&](auto g) FEATHERLINE_INLINE_LAMBDA { copy_segment(M, g); });
    each<occurs>(Known<0>{}, Known<n>{}, [&](auto level) FEATHERLINE_INLINE_LAMBDA { make_level(M, level); });
  }

  /// L left of the diagonal, 1 on it, and 1 / D(i) times row i of L^-T D right of it.
  const AlignedRows<n, S>& scaled() const { return scaled_; }
  const S* inverse_D() const { return inverse_D_; }

  /// Whether vector v of row i has entries that are not known to be zero.
  static constexpr bool has(int v, int i) {
    for (int k = 0; k < Rows::width; ++k) {
      if (relations<Tree, full>.related[i][Rows::offset(v) + k]) return true;
    }
    return false;
  }
  static constexpr bool are_related(int k, int i) { return relations<Tree, full>.related[i][k]; }

 private:
  using Rows = RowVectors<n, S>;
  using Vector = typename Rows::Vector;
  using Vectors = UpTo<Rows::count>;

  static constexpr const Segments<Tree, full>& table() { return segments<Tree, full>; }
  static constexpr Known<Segments<Tree, full>::count> segments_end{};

  static constexpr int upwards(int k) { return relations<Tree, full>.upwards[k]; }
  static constexpr int begin_of(int g) { return table().rows[g].begin; }
  static constexpr int before(int g) { return table().rows[g].begin - 1; }
  static constexpr int last_of(int g) { return table().rows[g].end - 1; }
  static constexpr int row_of(int g, int from_end) { return last_of(g) - from_end; }
  static constexpr int height(int g) { return relations<Tree, full>.height[last_of(g)]; }
  static constexpr bool is_inner(int g) { return height(g) > 0; }
  static constexpr bool is_at(int g, int level) { return height(g) == level; }
  static constexpr bool has_row(int g, int level, int from_end) {
    return is_at(g, level) && from_end < table().length(g);
  }
  static constexpr bool occurs(int level) {
    for (int g = 0; g < segments_end; ++g) {
      if (is_at(g, level)) return true;
    }
    return false;
  }

  /// Whether vector v of a row has entry i.
  static constexpr bool holds(int v, int i) {
    return Rows::offset(v) <= i && i < Rows::offset(v) + Rows::width;
  }

  // One row in registers.

  template <class Row>
  FEATHERLINE_INLINE static void load(Row i, const S* row, Vector* x) {
    visit_each<has, 0, 1>(
        Vectors{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA { x[v] = Rows::load(row + Rows::offset(v)); }, i);
  }
  /// Subtracts l row_k.
  template <class Row>
  FEATHERLINE_INLINE void subtract(Row k, const S& l, Vector* x) const {
    visit_each<has, 0, 1>(
        Vectors{},
        [&](auto v) FEATHERLINE_INLINE_LAMBDA { x[v] -= Rows::load(rows_[k] + Rows::offset(v)) * l; }, k);
  }
  /// Row i, which begins as `from`, minus L(k, i) row_k for all k below i, from `last` on down.
  template <class Row, class Last>
  FEATHERLINE_INLINE void make_row(const S* from, Row i, Last last) {
    Vector x[Rows::count] = {};
    load(i, from, x);
    each_downwards<are_related>(
        last, i,
        [&](auto k) FEATHERLINE_INLINE_LAMBDA {
          const S l = scaled_[k][i];
          subtract(k, l, x);
        },
        i);
    const int own = i / Rows::width;
    const S D = x[own][i - Rows::offset(own)];
    const S inverse = S(1.0) / D;
    inverse_D_[i] = inverse;
    keep(i, x, D, inverse);
  }
  template <class Row>
  FEATHERLINE_INLINE void keep(Row i, Vector* x, const S& D, const S& inverse) {
    visit_each<has, 0, 1>(
        Vectors{},
        [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          Rows::store(x[v] * inverse, scaled_[i] + Rows::offset(v));
          visit_if<holds>(
              v, [&](auto own) FEATHERLINE_INLINE_LAMBDA { x[own][i - Rows::offset(own)] = D + D; }, i);
          Rows::store(x[v], rows_[i] + Rows::offset(v));
        },
        i);
  }

  // By segments.

  template <class Level>
  FEATHERLINE_INLINE void make_level(const S* M, Level level) {
    each(Known<0>{}, Known<table().longest()>{}, [&](auto from_end) FEATHERLINE_INLINE_LAMBDA {
      each<has_row>(
          Known<0>{}, segments_end,
          [&](auto g) FEATHERLINE_INLINE_LAMBDA {
            const auto i = known<row_of>(g, from_end);
            make_row(level == 0 ? M + n * i : rows_[i], i, known<last_of>(g));
          },
          level, from_end);
    });
    each<is_at>(
        Known<0>{}, segments_end, [&](auto g) FEATHERLINE_INLINE_LAMBDA { subtract_segment(g); }, level);
  }

  /// Rows from which others will be subtracted begin as rows of M.
  template <class Index>
  FEATHERLINE_INLINE void copy_segment(const S* M, Index g) {
    for (int i = begin_of(g); i <= last_of(g); ++i) copy(known<begin_of>(g), M + n * i, rows_[i]);
  }
  /// Rows are like row `like`: they have the same zeros.
  template <class Row>
  FEATHERLINE_INLINE static void copy(Row like, const S* from, S* to) {
    visit_each<has, 0, 1>(
        Vectors{},
        [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          Rows::store(Rows::load(from + Rows::offset(v)), to + Rows::offset(v));
        },
        like);
  }

  template <class Index>
  FEATHERLINE_INLINE void subtract_segment(Index g) {
    const Segment segment = table().rows[g];
    for (int r = 0; r < segment.num_ranges; ++r) {
      const Range range = table().ranges[segment.first_range + r];
      for (int i = range.begin; i < range.end && i < segment.begin; ++i) subtract_segment_from(i, g);
    }
  }
  /// All vectors are read before one is written, because they may overlap.
  template <class Index>
  FEATHERLINE_INLINE void subtract_segment_from(int i, Index g) {
    const auto first = known<begin_of>(g);
    Vector x[Rows::count] = {};
    load(first, rows_[i], x);
    each_downwards(known<last_of>(g), known<before>(g),
                   [&](auto k) FEATHERLINE_INLINE_LAMBDA { subtract(k, scaled_[k][i], x); });
    visit_each<has, 0, 1>(
        Vectors{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA { Rows::store(x[v], rows_[i] + Rows::offset(v)); },
        first);
  }

  AlignedRows<n, S> rows_, scaled_;
  alignas(register_bytes) S inverse_D_[AlignedRows<n, S>::stride];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
