// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// Sets the N entries of an output to zero. Emitted code calls it for outputs with many structural zeros, in place of
/// storing each zero.
template <int N, class S>
inline void clear(S* x) {
  for (int k = 0; k < N; ++k) x[k] = S(0);
}

}  // namespace featherline
