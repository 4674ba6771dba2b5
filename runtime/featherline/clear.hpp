// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

namespace featherline {

/// Sets numbers to zero.
template <class S>
FEATHERLINE_FUNCTION inline void clear(S* x, int count) {
  if constexpr (!FEATHERLINE_CUDA && (std::is_same_v<S, double> || std::is_same_v<S, float>)) {
    static_assert(std::numeric_limits<S>::is_iec559, "bytes that are zero are the number zero");
    std::memset(x, 0, static_cast<std::size_t>(count) * sizeof(S));
  } else {
    for (int k = 0; k < count; ++k) x[k] = S(0);
  }
}

/// Sets the N entries of an output to zero. Emitted code calls it for outputs with many structural zeros, in place of
/// storing each zero.
template <int N, class S>
FEATHERLINE_FUNCTION inline void clear(S* x) {
  featherline::clear(x, N);
}

/// Copies N numbers.
template <int N, class S>
FEATHERLINE_FUNCTION inline void copy(const S* from, S* to) {
  for (int k = 0; k < N; ++k) to[k] = from[k];
}

}  // namespace featherline
