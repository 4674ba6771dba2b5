// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/pack.hpp>
#include <featherline/detail/tree_relations.hpp>

#include <algorithm>

/// Rows of n numbers in registers, and sums of rows.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// A row of N numbers as `count` vectors. The last vector ends where the row ends, so it may overlap the one before
/// it. Then no vector reaches beyond the row, and rows of an output are written in any order.
template <int N, class S>
struct RowVectors {
  static constexpr int width = width_in_row<S>(N);
  static constexpr int count = (N + width - 1) / width;
  static constexpr int stride = count * width;  ///< of rows that begin at full vectors
  using Vector = typename VectorOf<S, width>::type;

  static constexpr int offset(int v) { return v + 1 < count ? v * width : N - width; }

  FEATHERLINE_INLINE static Vector load(const S* from) { return load_vector<width>(from); }
  FEATHERLINE_INLINE static void store(const Vector& x, S* to) { store_vector<width>(x, to); }
};

/// Rows that begin at full vectors. What follows the N numbers of a row is never read.
template <int N, class S, int count = N>
struct AlignedRows {
  static constexpr int stride = RowVectors<N, S>::stride;
  alignas(register_bytes) S data[count * stride];

  S* operator[](int k) { return data + stride * k; }
  const S* operator[](int k) const { return data + stride * k; }
  /// The rows of an array.
  void assign(const S* A) {
    for (int k = 0; k < count; ++k) assign_row(A + N * k, (*this)[k], UpTo<RowVectors<N, S>::count>{});
  }

 private:
  template <int... v>
  FEATHERLINE_INLINE static void assign_row(const S* from, S* to, std::integer_sequence<int, v...>) {
    using Rows = RowVectors<N, S>;
    (Rows::store(Rows::load(from + Rows::offset(v)), to + Rows::offset(v)), ...);
  }
};

/// Numbers that rows are multiplied with: that of row k in sum q is at first[row * k + sum * q].
template <class S>
struct Factors {
  const S* first;
  int row, sum;
};

/// Registers that sums may fill. One holds a factor.
inline constexpr int registers_for_sums = register_bytes == 64 ? 30 : 14;

/// Sums of multiples of rows, `sums` of them at once, so that each row is read once for all of them.
template <int N, class S, int sums>
class RowSums {
 public:
  using Rows = RowVectors<N, S>;
  using Vector = typename Rows::Vector;
  using Vectors = UpTo<Rows::count>;

  FEATHERLINE_INLINE void clear() { clear(UpTo<sums>{}, Vectors{}); }
  /// Subtracts the rows from `begin` up to `end`, of those that the segment is related to.
  template <class Table, class Matrix>
  FEATHERLINE_INLINE void subtract(const Table& table, const Segment& segment, int end, const Matrix& rows,
                                   const Factors<S>& factors) {
    const Range* range = table.ranges + segment.first_range;
    for (int r = 0; r < segment.num_ranges && range[r].begin < end; ++r) {
      const int last = range[r].end < end ? range[r].end : end;
      for (int k = range[r].begin; k < last; ++k)
        subtract_row(rows[k], factors.first + factors.row * k, factors.sum, Vectors{});
    }
  }
  /// Subtracts the first `count` rows.
  template <class Matrix>
  FEATHERLINE_INLINE void subtract_rows(const Matrix& rows, int count, const Factors<S>& factors) {
    FEATHERLINE_ROLLED
    for (int k = 0; k < count; ++k)
      subtract_row(rows[k], factors.first + factors.row * k, factors.sum, Vectors{});
  }
  /// Subtracts a multiple of a row.
  FEATHERLINE_INLINE void subtract_row(const S* row, const S& factor) {
    subtract_row(row, &factor, 0, Vectors{});
  }
  /// The same with a factor for each sum: factors[stride * q].
  FEATHERLINE_INLINE void subtract_row(const S* row, const S* factors, int stride) {
    subtract_row(row, factors, stride, Vectors{});
  }
  /// Adds a row to sum q, or subtracts one.
  template <int q>
  FEATHERLINE_INLINE void add(const S* row) {
    add<q>(row, Vectors{});
  }
  template <int q>
  FEATHERLINE_INLINE void subtract(const S* row) {
    subtract<q>(row, Vectors{});
  }
  /// Adds a multiple of a row to sum q.
  template <int q>
  FEATHERLINE_INLINE void add_multiple(const S* row, const S& factor) {
    add_multiple<q>(row, factor, Vectors{});
  }
  /// Subtracts l times sum `other` from sum q.
  template <int q, int other>
  FEATHERLINE_INLINE void subtract_sum(const S& l) {
    subtract_sum<q, other>(l, Vectors{});
  }
  template <int q>
  FEATHERLINE_INLINE void store(S* to) const {
    store<q>(to, Vectors{});
  }
  /// Stores sum q at to[stride * q].
  FEATHERLINE_INLINE void store_all(S* to, int stride) const { store_all(to, stride, UpTo<sums>{}); }

  Vector x[sums][Rows::count];

 private:
  template <int... q, int... v>
  FEATHERLINE_INLINE void clear(std::integer_sequence<int, q...>, std::integer_sequence<int, v...> vectors) {
    (clear<q>(vectors), ...);
  }
  template <int q, int... v>
  FEATHERLINE_INLINE void clear(std::integer_sequence<int, v...>) {
    ((x[q][v] = Vector{}), ...);
  }
  template <int q, int... v>
  FEATHERLINE_INLINE void add(const S* row, std::integer_sequence<int, v...>) {
    ((x[q][v] += Rows::load(row + Rows::offset(v))), ...);
  }
  template <int q, int... v>
  FEATHERLINE_INLINE void add_multiple(const S* row, const S& factor, std::integer_sequence<int, v...>) {
    ((x[q][v] += Rows::load(row + Rows::offset(v)) * factor), ...);
  }
  template <int q, int... v>
  FEATHERLINE_INLINE void subtract(const S* row, std::integer_sequence<int, v...>) {
    ((x[q][v] -= Rows::load(row + Rows::offset(v))), ...);
  }
  template <int... v>
  FEATHERLINE_INLINE void subtract_row(const S* row, const S* factors, int stride,
                                       std::integer_sequence<int, v...>) {
    (subtract_vector<v>(Rows::load(row + Rows::offset(v)), factors, stride, UpTo<sums>{}), ...);
  }
  template <int v, int... q>
  FEATHERLINE_INLINE void subtract_vector(Vector row, const S* factors, int stride,
                                          std::integer_sequence<int, q...>) {
    if constexpr (sums > 1) keep_in_register(row);
    ((x[q][v] -= row * factors[stride * q]), ...);
  }
  template <int q, int other, int... v>
  FEATHERLINE_INLINE void subtract_sum(const S& l, std::integer_sequence<int, v...>) {
    ((x[q][v] -= x[other][v] * l), ...);
  }
  template <int q, int... v>
  FEATHERLINE_INLINE void store(S* to, std::integer_sequence<int, v...>) const {
    (Rows::store(x[q][v], to + Rows::offset(v)), ...);
  }
  template <int... q>
  FEATHERLINE_INLINE void store_all(S* to, int stride, std::integer_sequence<int, q...>) const {
    (store<q>(to + stride * q), ...);
  }
};

/// So many sums of rows of N numbers are computed at a time.
template <int N, class S>
inline constexpr int sums_of_rows = std::clamp(registers_for_sums / RowVectors<N, S>::count, 1, 4);

/// f(sums, k) for all k from `k` up to `end`, `most` of them at once, then fewer.
template <int most, class F>
FEATHERLINE_INLINE void each_few(int k, int end, const F& f) {
  for (; k + most <= end; k += most) f(Known<most>{}, k);
  if constexpr (most > 1) each_few<most / 2>(k, end, f);
}
/// The same for all k below `end`.
template <int most, int end, int begin = 0, class F>
FEATHERLINE_INLINE void each_few(const F& f) {
  constexpr int next = begin + (end - begin) / most * most;
  for (int k = begin; k < next; k += most) f(Known<most>{}, k);
  if constexpr (next < end) each_few<most / 2, end, next>(f);
}

/// Whether x[stride * q] is zero for all q below `count`.
template <class S, class Count>
FEATHERLINE_INLINE bool are_zero(const S* x, int stride, Count count) {
  bool all = true;
  each(Known<0>{}, count, [&](auto q) FEATHERLINE_INLINE_LAMBDA { all = all && x[stride * q] == S(0); });
  return all;
}

/// How many sums share a pass over rows: as many as fit the registers and leave the fewest passes.
template <class Tree, bool full, class S>
constexpr int sums_at_once() {
  int best = 1;
  for (int sums = 2; sums <= 4; ++sums) {
    const bool fits = sums * RowVectors<Tree::nv, S>::count <= registers_for_sums;
    const auto& table = segments<Tree, full>;
    if (fits && table.passes(sums) < table.passes(best)) best = sums;
  }
  return best;
}

/// Calls work.template group<sums>(coordinate, segment) for all coordinates from `first` on in ascending order, several
/// of a segment at once.
template <class Tree, bool full, class S, class Work>
FEATHERLINE_INLINE void for_each_group(Work& work, int first = 0) {
  constexpr int together = sums_at_once<Tree, full, S>();
  for (const Segment& segment : segments<Tree, full>.rows) {
    int k = segment.begin < first ? first : segment.begin;
    if constexpr (together > 1) {
      for (; k + together <= segment.end; k += together) work.template group<together>(k, segment);
    }
    for (; k < segment.end; ++k) work.template group<1>(k, segment);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
