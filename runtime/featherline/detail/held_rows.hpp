// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/held_loops.hpp>
#include <featherline/detail/row_vectors.hpp>
#include <featherline/prepare.hpp>

/// What held_loops() does, with rows in registers: derivatives of inverse dynamics under constraints, whose
/// rows are held (detail/held_loops.hpp).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <int m, int f, class Tree, class S>
class HeldRows {
  static constexpr int n = Tree::nv;

 public:
  FEATHERLINE_INLINE void run(const int* coordinates, const HeldInputs<S>& in, const HeldOutputs<S>& to) {
    for (int u = 0; u < f; ++u) {
      RowSums<n, S, 1> x;
      x.clear();
      for (int r = 0; r < m; ++r) x.subtract_row(in.rows + n * r, in.forces[m * u + r]);
      x.template store<0>(reach_ + n * u);
    }
    for (int by = 0; by < 3; ++by) {
      for (int j = 0; j < n; ++j) {
        for (int u = 0; u < f; ++u)
          sums_[f * j + u] = in.b[by][n * j + coordinates[u]] + (by == 0 ? in.residual[f * j + u] : S(0));
      }
      solve(in, by == 0 ? in.shift : nullptr, in.b[by], to.dtau[by], to.dlambda[by]);
    }
  }

 private:
  FEATHERLINE_NOINLINE void solve(const HeldInputs<S>& in, const S* shift, const S* b, S* dtau,
                                  S* dlambda) const {
    code_begins<Tree, S>();
    each_few<sums_of_rows<m, S>, n>([&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
      RowSums<m, S, sums> x;
      x.clear();
      if (shift != nullptr) add_rows(x, shift + m * j, m, UpTo<sums>{});
      for (int u = 0; u < f; ++u) x.subtract_row(in.forces + m * u, sums_ + f * j + u, f);
      x.store_all(dlambda + m * j, m);
    });
    each_few<sums_of_rows<n, S>, n>([&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
      RowSums<n, S, sums> x;
      x.clear();
      add_rows(x, b + n * j, n, UpTo<sums>{});
      for (int u = 0; u < f; ++u) x.subtract_row(reach_ + n * u, sums_ + f * j + u, f);
      for (int r = 0; shift != nullptr && r < m; ++r) {
        // Most entries are zero: those of other limbs.
        if (!are_zero(shift + m * j + r, m, sums)) x.subtract_row(in.rows + n * r, shift + m * j + r, m);
      }
      x.store_all(dtau + n * j, n);
    });
    code_ends<Tree, S>();
  }
  template <class Sums, int... q>
  FEATHERLINE_INLINE static void add_rows(Sums& x, const S* rows, int stride,
                                          std::integer_sequence<int, q...>) {
    (x.template add<q>(rows + stride * q), ...);
  }

  S reach_[n * f];  ///< J^T L
  S sums_[f * n];   ///< of each column
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
