// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/known_indices.hpp>
#include <featherline/detail/row_vectors.hpp>

#include <cmath>
#include <utility>

namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// sum x[k] row_k over `count` rows that are `stride` apart, added to y. Two sums, where registers hold them, so that
/// additions wait half as long for each other.
template <int n, class S>
FEATHERLINE_INLINE void add_rows(const S* rows, int stride, const S* x, int count, S* y) {
  constexpr int vectors = RowVectors<n, S>::count, sums = 2 * vectors <= registers_for_sums ? 2 : 1;
  RowSums<n, S, sums> sum;
  sum.clear();
  for (int k = 0; k < count / sums * sums; k += sums) {
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      sum.template add_multiple<q>(rows + stride * (k + q), x[k + q]);
    });
  }
  if (count % sums != 0) sum.template add_multiple<0>(rows + stride * (count - 1), x[count - 1]);
  if (sums > 1 && count > 1)
    each(Known<0>{}, Known<vectors>{},
         [&](auto v) FEATHERLINE_INLINE_LAMBDA { sum.x[0][v] += sum.x[sums - 1][v]; });
  sum.template add<0>(y);
  sum.template store<0>(y);
}

template <int n, class S>
FEATHERLINE_INLINE void copy_row(const S* from, S* to) {
  RowSums<n, S, 1> row;
  row.clear();
  row.template add<0>(from);
  row.template store<0>(to);
}

template <int n, class S>
void exchange(S* x, S* y) {
  for (int k = 0; k < n; ++k) {
    const S kept = x[k];
    x[k] = y[k];
    y[k] = kept;
  }
}

/// Linear equations by elimination. The diagonal is large in what these solve, so another pivot is looked for only where
/// it has shrunk. Factors are kept: what is solved again with other right sides costs little.
template <int most, class S>
class Elimination {
 public:
  static constexpr int width = PackOf<S>::width, stride = padded<S>(most);
  int size = 0;  ///< rows that are used
  S matrix[most][stride];

  /// Room for row r, whose last vector is filled with zeros.
  S* row(int r) {
    store_pack<S>(Pack<S>{}, matrix[r] + (size - 1) / width * width);
    return matrix[r];
  }
  /// Stops, and returns false, where elimination leaves no more than `least` of an entry of the diagonal: of a symmetric
  /// matrix a row that others give. Rows are exchanged after that, for the entry that takes its place is about the root
  /// of what is left. With a `least` of zero pivots of zero give zeros.
  bool factorise(const S& least) {
    using std::abs;
    // Zeros behind the end of columns, and for unknowns behind the last one that its vector has.
    const int last = (size - 1) / width * width;
    for (int k = 0; k < last + width; ++k) {
      inverse_[k] = k < size ? abs(matrix[k][k]) : S(0.0);
      store_pack<S>(Pack<S>{}, below_[k] + last);
      for (int c = 0; c <= last && k >= size; c += width) store_pack<S>(Pack<S>{}, above_[k] + c);
    }
    is_exchanged_ = false;
    if (size == 0) return true;
    S pivot = matrix[0][0];
    for (int k = 0; k < size; ++k) {
      const S diagonal = inverse_[k];
      pivot_[k] = k;
      if (least > S(0.0) && !(abs(pivot) > least * diagonal)) return false;
      if (!(abs(pivot) > S(0.01) * diagonal)) {
        exchange_pivot(k);
        pivot = matrix[k][k];
      }
      const S inverse = pivot == S(0.0) ? S(0.0) : S(1.0) / pivot;
      inverse_[k] = inverse;
      if (k + 1 == size) break;
      // Computed apart from its row, so that its division begins early.
      pivot = matrix[k + 1][k + 1] - matrix[k + 1][k] * inverse * matrix[k][k + 1];
      subtract_from_rows(k);
    }
    return true;
  }
  /// X becomes the solution.
  template <int columns>
  void solve(S (*X)[columns]) const {
    exchange_rows<columns>(X[0]);
    for (int k = 0; k < size; ++k) {
      for (int i = k + 1; i < size; ++i) subtract_row<columns>(X[k], below_[k][i], X[i]);
      for (int c = 0; c < columns; ++c) X[k][c] *= inverse_[k];
    }
    for (int k = size - 1; k >= 0; --k) {
      for (int i = 0; i < k; ++i) subtract_row<columns>(X[k], above_[k][i], X[i]);
    }
  }
  /// The same with one right side, a vector at a time: its numbers follow one from another in registers.
  void solve(S (&x)[stride]) const {
    for (int c = size; c < stride; ++c) x[c] = S(0.0);
    exchange_rows<1>(x);
    for (int c = 0; c < size; c += width) {
      S y[width];
      each(Known<0>{}, Known<width>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA { y[i] = x[c + i]; });
      each(Known<0>{}, Known<width>{}, [&](auto l) FEATHERLINE_INLINE_LAMBDA {
        each(Known<l + 1>{}, Known<width>{},
             [&](auto i) FEATHERLINE_INLINE_LAMBDA { y[i] -= below_[c + l][c + i] * y[l]; });
      });
      subtract_known<0>(below_ + c, y, c + width, size, x, UpTo<width>{});
      store_pack<S>(pack(y, UpTo<width>{}) * load_pack(inverse_ + c), x + c);
    }
    for (int c = (size - 1) / width * width; c >= 0; c -= width) {
      S y[width];
      each(Known<0>{}, Known<width>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA { y[i] = x[c + i]; });
      each_downwards(Known<width - 1>{}, Known<0>{}, [&](auto l) FEATHERLINE_INLINE_LAMBDA {
        each(Known<0>{}, Known<l>{},
             [&](auto i) FEATHERLINE_INLINE_LAMBDA { y[i] -= above_[c + l][c + i] * y[l]; });
      });
      subtract_known<width - 1>(above_ + c, y, 0, c, x, UpTo<width>{});
      store_pack<S>(pack(y, UpTo<width>{}), x + c);
    }
  }

 private:
  template <int columns>
  static void subtract_row(const S* row, const S& factor, S* from) {
    const S sign = -factor;
    add_rows<columns>(row, 0, &sign, 1, from);
  }
  static constexpr int at(int l, int first) { return first > 0 ? first - l : l; }
  template <int... l>
  FEATHERLINE_INLINE static Pack<S> pack(const S* y, std::integer_sequence<int, l...>) {
    return Pack<S>{y[l]...};
  }
  /// Subtracts what the vectors from `begin` to `end` have of the numbers y, that of number `first`, which is known
  /// first, before all others.
  template <int first, int... l>
  FEATHERLINE_INLINE static void subtract_known(const S (*factors)[stride], const S* y, int begin, int end,
                                                S* x, std::integer_sequence<int, l...>) {
    for (; begin < end; begin += width)
      store_pack<S>(
          (load_pack(x + begin) - ... - (load_pack(factors[at(l, first)] + begin) * y[at(l, first)])),
          x + begin);
  }
  template <int columns>
  void exchange_rows(S* X) const {
    for (int k = 0; k < size && is_exchanged_; ++k) {
      if (pivot_[k] != k) exchange<columns>(X + columns * k, X + columns * pivot_[k]);
    }
  }
  void exchange_pivot(int k) {
    using std::abs;
    int& pivot = pivot_[k];
    for (int i = k + 1; i < size; ++i) pivot = abs(matrix[i][k]) > abs(matrix[pivot][k]) ? i : pivot;
    if (pivot == k) return;
    is_exchanged_ = true;
    exchange<stride>(matrix[k], matrix[pivot]);
    for (int j = 0; j < k; ++j) exchange<1>(below_[j] + k, below_[j] + pivot);
  }
  /// Behind the pivot of row k: what is left of it is not read again. Keeps what solve() needs of column k and of row k.
  void subtract_from_rows(int k) {
    int c = (k + 1) / width * width;
    if constexpr (stride > 4 * width) {
      if (c + 4 * width < size) {
        subtract_vectors<true>(k, c, UpTo<4>{});
        for (c += 4 * width; c + 4 * width < size; c += 4 * width) subtract_vectors<false>(k, c, UpTo<4>{});
        return subtract_last_vectors<false>(k, c);
      }
    }
    subtract_last_vectors<true>(k, c);
  }
  template <bool first>
  FEATHERLINE_INLINE void subtract_last_vectors(int k, int c) {
    if constexpr (stride > 3 * width) {
      if (c + 3 * width < size) return subtract_vectors<first>(k, c, UpTo<4>{});
    }
    if constexpr (stride > 2 * width) {
      if (c + 2 * width < size) return subtract_vectors<first>(k, c, UpTo<3>{});
    }
    if constexpr (stride > width) {
      if (c + width < size) return subtract_vectors<first>(k, c, UpTo<2>{});
    }
    subtract_vectors<first>(k, c, UpTo<1>{});
  }
  template <bool first, int... v>
  FEATHERLINE_INLINE void subtract_vectors(int k, int c, std::integer_sequence<int, v...>) {
    const Pack<S> row[] = {load_pack(matrix[k] + c + width * v)...};
    const S inverse = inverse_[k];
    for (int i = k + 1; i < size; ++i) {
      if constexpr (first) {
        below_[k][i] = matrix[i][k] * inverse;
        above_[i][k] = matrix[k][i] * inverse;
      }
      const S factor = below_[k][i];
      S* from = matrix[i] + c;
      (store_pack<S>(load_pack(from + width * v) - row[v] * factor, from + width * v), ...);
    }
  }

  S inverse_[stride], below_[stride][stride], above_[stride][stride];
  int pivot_[most];
  bool is_exchanged_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
