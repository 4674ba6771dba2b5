// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/tree_pattern.hpp>

/// Products of n x n matrices with the zeros of a branching tree, for vector_loops.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// An N x N matrix whose columns fill whole packs.
template <int N, class S>
struct PaddedMatrix {
  static constexpr int stride = padded<S>(N);
  S data[N * stride];

  void assign(const S* A) {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) data[c * stride + r] = A[c * N + r];
    }
    clear_padding();
  }
  void clear_padding() {
    for (int c = 0; c < N; ++c) {
      for (int r = N; r < stride; ++r) data[c * stride + r] = S(0);
    }
  }
  void copy_to(S* A) const {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) A[c * N + r] = data[c * stride + r];
    }
  }
};

/// One pack of sum over the listed k of A(:, k) b[k], from row `row` on.
template <int N, class S>
inline void combine_pack(const PaddedMatrix<N, S>& A, const S* b, const Indices& list, int row, S* to) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  Pack<S> x = load_pack(A.data + list[0] * stride + row) * b[list[0]];
  const int end = N > 1 ? list.count : 1;  // the same, but g++ 12 sees no reads beyond a list of one
  for (int m = 1; m < end; ++m) x = x + load_pack(A.data + list[m] * stride + row) * b[list[m]];
  store_pack<S>(x, to + row);
}

/// Four packs: the additions of one wait for no other's. Four names, since g++ 12 keeps an array in memory.
template <int N, class S>
inline void combine_four_packs(const PaddedMatrix<N, S>& A, const S* b, const Indices& list, int row, S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  const S* first = A.data + list[0] * stride + row;
  Pack<S> x0 = load_pack(first) * b[list[0]], x1 = load_pack(first + width) * b[list[0]],
          x2 = load_pack(first + 2 * width) * b[list[0]], x3 = load_pack(first + 3 * width) * b[list[0]];
  const int end = N > 1 ? list.count : 1;
  for (int m = 1; m < end; ++m) {
    const S* column = A.data + list[m] * stride + row;
    const S factor = b[list[m]];
    x0 = x0 + load_pack(column) * factor;
    x1 = x1 + load_pack(column + width) * factor;
    x2 = x2 + load_pack(column + 2 * width) * factor;
    x3 = x3 + load_pack(column + 3 * width) * factor;
  }
  store_pack<S>(x0, to + row);
  store_pack<S>(x1, to + row + width);
  store_pack<S>(x2, to + row + 2 * width);
  store_pack<S>(x3, to + row + 3 * width);
}

/// to = A b, for b that is zero outside the entries listed, of which there is one at least. `to` has room for whole packs.
template <int N, class S>
inline void combine(const PaddedMatrix<N, S>& A, const S* b, const Indices& list, S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  int row = 0;
  for (; row + 4 * width <= stride; row += 4 * width) combine_four_packs(A, b, list, row, to);
  for (; row < stride; row += width) combine_pack(A, b, list, row, to);
}

/// to = -A B, for B with the zeros of a branching tree.
template <class Pattern, int N, class S>
inline void negative_product(const PaddedMatrix<N, S>& A, const Pattern& pattern, const S* B, S* to) {
  S x[PaddedMatrix<N, S>::stride];
  for (int c = 0; c < N; ++c) {
    combine(A, B + N * c, pattern.related(c), x);
    for (int r = 0; r < N; ++r) to[N * c + r] = -x[r];
  }
}

/// Y = A D A for symmetric A, and D with rows and columns in `list` alone; Y is written back to D, too.
template <int N, class S>
inline void sandwich(const PaddedMatrix<N, S>& A, S* D, const Indices& list, PaddedMatrix<N, S>& Y) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  PaddedMatrix<N, S> AD;
  for (int m = 0; m < list.count; ++m) combine(A, D + N * list[m], list, AD.data + stride * list[m]);
  for (int c = 0; c < N; ++c) {
    combine(AD, A.data + stride * c, list, Y.data + stride * c);
    for (int i = 0; i < N; ++i) D[N * c + i] = Y.data[stride * c + i];
  }
}

/// T(i, j, k) = -T(i, k, j).
template <int N, class S>
inline void swap_last_two_and_negate(S* T) {
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j <= k; ++j) {
      for (int i = 0; i < N; ++i) {
        S &a = T[i + N * (j + N * k)], &b = T[i + N * (k + N * j)];
        const S old = a;
        a = -b;
        b = -old;
      }
    }
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
