// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/constrained_loops.hpp>
#include <featherline/detail/dense_inverse.hpp>

/// What ConstrainedLoops does, with rows in registers.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <int m, class Tree, class S>
class ConstrainedRows {
  static constexpr int n = Tree::nv;
  template <int N>
  static constexpr int at_once = sums_of_rows<N, S>;

 public:
  FEATHERLINE_INLINE void run(const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to,
                              bool behind_base) {
    multiply_rows(in, to.da_dtau);
    solve_both(in);
    finish(to);
    subtract_force(in.force, first_by_q(behind_base).known, to.da_dq);
    solve_columns(in.k_q, first_by_q(behind_base), to.da_dq, to.dlambda_dq);
    solve_columns(in.k_v, first_by_v(behind_base), to.da_dv, to.dlambda_dv);
    if (behind_base) add_base(m, n, in, to);
  }

 private:
  /// P = M^-1 J^T. Most entries of J are zero.
  FEATHERLINE_INLINE void multiply_rows(const ConstrainedInputs<S>& in, const S* Minv) {
    K_.assign(Minv);
    each_few<at_once<n>, m>([&](auto sums, int r) FEATHERLINE_INLINE_LAMBDA {
      RowSums<n, S, sums> x;
      x.clear();
      const S* rows = in.rows + n * r;
      for (int k = 0; k < n; ++k) {
        if (!are_zero(rows + k, n, sums)) x.subtract_row(K_[k], rows + k, n);
      }
      each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
        x.template store<q>(P_[r + q]);
        x.template store<q>(Q_[r + q]);
      });
    });
    D_.assign(in.world);
  }
  FEATHERLINE_INLINE void solve_both(const ConstrainedInputs<S>& in) {
    const auto add_up = [&](auto& rows, auto size, int r, int begin, int end, const S* l, int stride)
                            FEATHERLINE_INLINE_LAMBDA {
                              RowSums<size, S, 1> x;
                              x.clear();
                              x.template add<0>(rows[r]);
                              for (int j = begin; j < end; ++j) x.subtract_row(rows[j], l[stride * j]);
                              x.template store<0>(rows[r]);
                            };
    const auto scale = [&](auto& rows, auto size, int r, const S& factor) FEATHERLINE_INLINE_LAMBDA {
      for (int i = 0; i < size; ++i) rows[r][i] = rows[r][i] * factor;
    };
    solve_rows(
        m, in.factor,
        [&](int r, int begin, int end, const S* l, int stride) FEATHERLINE_INLINE_LAMBDA {
          add_up(Q_, Known<n>{}, r, begin, end, l, stride);
          add_up(D_, Known<m>{}, r, begin, end, l, stride);
        },
        [&](int r, const S& factor) FEATHERLINE_INLINE_LAMBDA {
          scale(Q_, Known<n>{}, r, factor);
          scale(D_, Known<m>{}, r, factor);
        });
  }
  /// da/dtau = M^-1 - Q P^T, dlambda/dtau = -D^-1 P^T.
  FEATHERLINE_INLINE void finish(const ConstrainedOutputs<S>& to) {
    each_few<at_once<n>, n>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
      RowSums<n, S, sums> x;
      x.clear();
      each(Known<0>{}, Known<sums>{},
           [&](auto q) FEATHERLINE_INLINE_LAMBDA { x.template add<q>(K_[i + q]); });
      x.subtract_rows(Q_, m, {P_.data + i, P_.stride, 1});
      each(Known<0>{}, Known<sums>{},
           [&](auto q) FEATHERLINE_INLINE_LAMBDA { x.template store<q>(K_[i + q]); });
      x.store_all(to.da_dtau + n * i, n);
    });
    each_few<at_once<m>, n>([&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA {
      RowSums<m, S, sums> x;
      x.clear();
      x.subtract_rows(D_, m, {P_.data + i, P_.stride, 1});
      each(Known<0>{}, Known<sums>{},
           [&](auto q) FEATHERLINE_INLINE_LAMBDA { x.template store<q>(by_tau_[i + q]); });
      x.store_all(to.dlambda_dtau + m * i, m);
    });
  }
  FEATHERLINE_INLINE static void subtract_force(const S* force, int first, S* da_dq) {
    for (const Segment& segment : segments<Tree, false>.rows) {
      const Range* range = segments<Tree, false>.ranges + segment.first_range;
      for (int j = segment.begin < first ? first : segment.begin; j < segment.end; ++j) {
        for (int r = 0; r < segment.num_ranges; ++r) {
          for (int i = range[r].begin; i < range[r].end; ++i)
            da_dq[n * j + i] = da_dq[n * j + i] - force[n * j + i];
        }
      }
    }
  }
  /// dlambda from b, then da in its place.
  FEATHERLINE_NOINLINE void solve_columns(const S* k, FirstColumns first, S* da, S* dlambda) const {
    code_begins<Tree, S>();
    const auto solve = [&](auto& by_b, auto& by_k, auto size, S* to) FEATHERLINE_INLINE_LAMBDA {
      each_few<at_once<size>>(first.begin, first.known, [&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
        RowSums<size, S, sums> x;
        x.clear();
        subtract_held(x, by_k, k + m * j, sums);
        x.store_all(to + size * j, size);
      });
      for (const Segment& segment : segments<Tree, false>.rows) {
        const int begin = segment.begin < first.known ? first.known : segment.begin;
        each_few<at_once<size>>(begin, segment.end, [&](auto sums, int j) FEATHERLINE_INLINE_LAMBDA {
          RowSums<size, S, sums> x;
          x.clear();
          x.subtract(segments<Tree, false>, segment, n, by_b, {da + n * j, 1, n});
          subtract_held(x, by_k, k + m * j, sums);
          x.store_all(to + size * j, size);
        });
      }
    };
    solve(by_tau_, D_, Known<m>{}, dlambda);
    solve(K_, Q_, Known<n>{}, da);
    code_ends<Tree, S>();
  }
  /// Most entries of k are zero: those of other limbs, and of limbs that no constraint holds.
  template <class Sums, class Matrix, class Count>
  FEATHERLINE_INLINE static void subtract_held(Sums& x, const Matrix& by_k, const S* k, Count count) {
    for (int r = 0; r < m; ++r) {
      if (!are_zero(k + r, m, count)) x.subtract_row(by_k[r], k + r, m);
    }
  }

  AlignedRows<n, S> K_;          ///< M^-1, then da/dtau
  AlignedRows<n, S, m> P_, Q_;   ///< by row of the constraints
  AlignedRows<m, S, m> D_;       ///< D^-1, in axes of the world
  AlignedRows<m, S, n> by_tau_;  ///< dlambda/dtau
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
