// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/pack.hpp>

namespace featherline {

namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// The last vector ends where the row ends, so it may overlap the one before it.
template <int N, class S>
FEATHERLINE_INLINE void clear_row(S* x) {
  constexpr int width = FEATHERLINE_CUDA ? 1 : width_in_row<S>(N);
  if constexpr (width == 1) {
    for (int k = 0; k < N; ++k) x[k] = S(0);
  } else {
    const typename VectorOf<S, width>::type zero{};
    for (int k = 0; k + width <= N; k += width) store_vector<width>(zero, x + k);
    if constexpr (N % width != 0) store_vector<width>(zero, x + N - width);
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
