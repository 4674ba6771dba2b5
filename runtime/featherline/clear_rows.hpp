// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/row_vectors.hpp>

namespace featherline {

namespace detail {
template <class Rows, class S, int... v>
FEATHERLINE_INLINE void clear_row(S* x, std::integer_sequence<int, v...>) {
  if constexpr (Rows::width == 1)
    (static_cast<void>(x[v] = S(0)), ...);
  else
    (Rows::store(typename Rows::Vector{}, x + Rows::offset(v)), ...);
}
}  // namespace detail

/// Sets rows of N entries to zero: `count` of them, `stride` apart. Emitted code calls it for structural zeros.
template <int N, int count = 1, int stride = 0, class S>
FEATHERLINE_INLINE void clear_rows(S* x) {
  using Rows = detail::RowVectors<N, S>;
  for (int k = 0; k < count; ++k) detail::clear_row<Rows>(x + stride * k, detail::UpTo<Rows::count>{});
}

}  // namespace featherline
