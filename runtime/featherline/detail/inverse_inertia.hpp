// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/small_matrix.hpp>

/// The inverse of the joint-space inertia in loops, for vector_loops.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// M = L^T D L (RBDA table 6.3): row k of L below the diagonal in column k of a padded matrix, and the inverse of D.
/// Rows are subtracted whole, in packs: zeros cost less than indices, and what comes to lie above the diagonal is never
/// read.
template <int N, class S>
struct InertiaFactor {
  static constexpr int stride = PaddedMatrix<N, S>::stride;
  PaddedMatrix<N, S> L;
  S inverse_D[N];

  template <class Pattern>
  InertiaFactor(const Pattern& pattern, const S* M) {
    L.assign(M);
    for (int k = N; k-- > 0;) {
      S* row = L.data + stride * k;
      inverse_D[k] = S(1) / row[k];
      const Indices before = pattern.before(k);
      for (int m = before.count; m-- > 0;) {
        const int i = before[m];
        const S l = row[i] * inverse_D[k];
        subtract(row, l, L.data + stride * i, i + 1);
        row[i] = l;
      }
    }
  }

 private:
  /// to -= l row, for `count` entries and what fills the last pack.
  static void subtract(const S* row, const S& l, S* to, int count) {
    for (int j = 0; j < count; j += PackOf<S>::width) {
      const Pack<S> x = load_pack(to + j) - load_pack(row + j) * l;
      store_pack<S>(x, to + j);
    }
  }
};

/// Z = M^-1, full and symmetric, from L Z = D^-1 L^-T row by row. `M`: n x n, column-major.
template <class Pattern, int N, class S>
void invert_inertia(const Pattern& pattern, const S* M, PaddedMatrix<N, S>& Z) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  const InertiaFactor<N, S> factor(pattern, M);
  for (S& entry : Z.data) entry = S(0);
  S x[stride];
  for (int i = 0; i < N; ++i) {
    const Indices before = pattern.before(i);
    const S* row = factor.L.data + stride * i;
    S diagonal = factor.inverse_D[i];
    if (before.count > 0) {
      combine(Z, row, before, x);
      for (int j = 0; j < i; ++j) Z.data[stride * i + j] = Z.data[stride * j + i] = -x[j];
      for (int m = 0; m < before.count; ++m)
        diagonal = diagonal - row[before[m]] * Z.data[stride * i + before[m]];
    }
    Z.data[stride * i + i] = diagonal;
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
