// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/pack.hpp>

#include <utility>

namespace featherline {

namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// Without a loop: g++ makes `rep stosq` of one over three vectors, which takes ten times as long.
template <int width, class S, int... k>
FEATHERLINE_INLINE void clear_vectors([[maybe_unused]] S* x, std::integer_sequence<int, k...>) {
  [[maybe_unused]] const typename VectorOf<S, width>::type zero{};
  (store_vector<width>(zero, x + k * width), ...);
}

/// The last vector ends where the row ends, so it may overlap the one before it.
template <int N, class S>
FEATHERLINE_INLINE void clear_row(S* x) {
  constexpr int width = FEATHERLINE_CUDA ? 1 : width_in_row<S>(N);
  if constexpr (width == 1) {
    for (int k = 0; k < N; ++k) x[k] = S(0);
  } else {
    constexpr int block = 16;  // vectors
    for (int k = 0; k < N / (block * width); ++k, x += block * width)
      clear_vectors<width>(x, std::make_integer_sequence<int, block>());
    constexpr int left = N % (block * width);
    clear_vectors<width>(x, std::make_integer_sequence<int, left / width>());
    if constexpr (N % width != 0)
      clear_vectors<width>(x + left - width, std::make_integer_sequence<int, 1>());
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail

/// Sets rows of N entries to zero: `count` of them, `stride` apart. Emitted code calls it for structural zeros.
template <int N, int count = 1, int stride = 0, class S>
FEATHERLINE_INLINE void clear_rows(S* x) {
  for (int k = 0; k < count; ++k) detail::clear_row<N>(x + stride * k);
}

}  // namespace featherline
