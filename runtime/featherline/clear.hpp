// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

namespace featherline {

/// Sets the N entries of an output to zero: for outputs most of whose entries are structural zeros, which emitted
/// code then need not store one by one.
template <int N, class S>
inline void clear(S* x) {
  for (int k = 0; k < N; ++k) x[k] = S(0);
}

}  // namespace featherline
