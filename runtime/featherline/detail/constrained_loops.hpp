// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/matrix_loops.hpp>

/// Derivatives of dynamics under constraints from those of inverse dynamics. With the equations
///
///     M da - J^T dlambda = -b,  J da = -k,  D = J M^-1 J^T,  Q = M^-1 J^T D^-1,
///
/// of a column, the solution is
///
///     da = -(M^-1 - Q J M^-1) b - Q k,  dlambda = Q^T b - D^-1 k.
///
/// Of dtau, -b is a column of the identity. Matrices are column-major, n = tree.nv.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// What emitted code computes, with m rows of constraints.
template <class S>
struct ConstrainedInputs {
  const S* rows;    ///< -J, m x n, by rows
  const S* factor;  ///< of D = L E L^T, by rows: L below the diagonal, 1/E on it; 0 in rows that are dropped
  const S* world;   ///< m x m: rows of forces from the axes that D has to those of dlambda
  const S* force;   ///< d(J^T lambda)/dq, n x n
  const S *k_q, *k_v;  ///< k of the columns by q and by v, m x n
  const S* turned;     ///< m x 3: is added to dlambda where a floating base turns
  /// 3 x 6: linear accelerations without constraints, by turns and by linear velocities of a floating base
  /// (put_base_columns()), or nullptr.
  const S* base;
};
/// da_*: n x n; dlambda_*: m x n, forces in axes of the world. ConstrainedLoops and ConstrainedRows find M^-1 in
/// da_dtau; ConstrainedBlocks take M.
template <class S>
struct ConstrainedOutputs {
  S *da_dq, *da_dv, *da_dtau, *dlambda_dq, *dlambda_dv, *dlambda_dtau;
};

/// The first columns: up to `begin` they are zero, those by the position of a floating base, which are left out. Then
/// up to `known` the accelerations c without constraints are known: they have no b, and their k is k + J c.
struct FirstColumns {
  int begin, known;
};
constexpr FirstColumns first_by_q(bool behind_base) {
  return behind_base ? FirstColumns{3, known_columns_dq} : FirstColumns{0, 0};
}
constexpr FirstColumns first_by_v(bool behind_base) { return {0, behind_base ? known_columns_dv : 0}; }
/// What these columns have besides.
template <class S>
void add_base(int m, int n, const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to) {
  for (int k = 0; k < 3; ++k) {
    S *by_turn = to.da_dq + n * (3 + k), *by_velocity = to.da_dv + n * k;
    for (int i = 0; i < 3; ++i) {
      by_turn[i] = by_turn[i] + in.base[3 * k + i];
      by_velocity[i] = by_velocity[i] + in.base[9 + 3 * k + i];
    }
  }
  for (int k = 0; k < 3 * m; ++k) to.dlambda_dq[3 * m + k] = to.dlambda_dq[3 * m + k] + in.turned[k];
}

/// row(r) -= L(r, j) row(j) in the order of a solution with D, f(row, other, factor), and scale(row, factor) between.
template <class S, class Subtract, class Scale>
void solve_rows(int m, const S* factor, const Subtract& subtract, const Scale& scale) {
  for (int r = 1; r < m; ++r) subtract(r, 0, r, factor + m * r, 1);
  for (int r = m; r-- > 0;) {
    scale(r, factor[(m + 1) * r]);
    subtract(r, r + 1, m, factor + r, m);
  }
}

/// Loops for scalars and trees that nothing is unrolled for. `m`: unknown, or as many as `rows`.
template <int m, class Tree, class S>
class ConstrainedLoops {
  static constexpr int known = known_nv<Tree>();
  static constexpr int product(int a, int b) { return a == unknown || b == unknown ? unknown : a * b; }

 public:
  ConstrainedLoops(const Tree& tree, int rows)
      : tree_(tree), m_(rows), P_(rows * tree.nv), Q_(rows * tree.nv), D_(rows * rows), x_(tree.nv) {}

  void run(const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to, bool behind_base) {
    invert(in, to);
    solve(in.force, in.k_q, first_by_q(behind_base), to, to.da_dq, to.dlambda_dq);
    solve(nullptr, in.k_v, first_by_v(behind_base), to, to.da_dv, to.dlambda_dv);
    if (behind_base) add_base(m_, tree_.nv, in, to);
  }

 private:
  void invert(const ConstrainedInputs<S>& in, const ConstrainedOutputs<S>& to) {
    const int n = tree_.nv;
    for (int r = 0; r < m_; ++r) {
      for (int i = 0; i < n; ++i) {
        S sum(0);
        for (int k = 0; k < n; ++k) sum = sum - in.rows[n * r + k] * to.da_dtau[n * k + i];
        P_.data[n * r + i] = Q_.data[n * r + i] = sum;
      }
      for (int s = 0; s < m_; ++s) D_.data[m_ * r + s] = in.world[m_ * r + s];
    }
    solve_rows(
        m_, in.factor,
        [&](int r, int begin, int end, const S* l, int stride) {
          for (int j = begin; j < end; ++j) {
            subtract(Q_.data + n * j, l[stride * j], n, Q_.data + n * r);
            subtract(D_.data + m_ * j, l[stride * j], m_, D_.data + m_ * r);
          }
        },
        [&](int r, const S& factor) {
          for (int i = 0; i < n; ++i) Q_.data[n * r + i] = Q_.data[n * r + i] * factor;
          for (int s = 0; s < m_; ++s) D_.data[m_ * r + s] = D_.data[m_ * r + s] * factor;
        });
    for (int i = 0; i < n; ++i) {
      for (int s = 0; s < m_; ++s) to.dlambda_dtau[m_ * i + s] = S(0);
      for (int r = 0; r < m_; ++r) {
        subtract(Q_.data + n * r, P_.data[n * r + i], n, to.da_dtau + n * i);
        subtract(D_.data + m_ * r, P_.data[n * r + i], m_, to.dlambda_dtau + m_ * i);
      }
    }
  }
  void solve(const S* force, const S* k, const FirstColumns& first, const ConstrainedOutputs<S>& to, S* da,
             S* dlambda) {
    const int n = tree_.nv;
    const auto& pattern = pattern_of<ZerosOf::tree>(tree_);
    for (int j = first.begin; j < n; ++j) {
      S *b = da + n * j, *lambda = dlambda + m_ * j;
      const auto related = pattern.related(j);
      for (int i = 0; i < n; ++i) x_.data[i] = S(0);
      for (int s = 0; s < m_; ++s) lambda[s] = S(0);
      for (int t = 0; t < (j < first.known ? 0 : related.count); ++t) {
        const int i = related[t];
        const S entry = force == nullptr ? b[i] : b[i] - force[n * j + i];
        subtract(to.da_dtau + n * i, entry, n, x_.data);
        subtract(to.dlambda_dtau + m_ * i, entry, m_, lambda);
      }
      for (int r = 0; r < m_; ++r) {
        subtract(Q_.data + n * r, k[m_ * j + r], n, x_.data);
        subtract(D_.data + m_ * r, k[m_ * j + r], m_, lambda);
      }
      for (int i = 0; i < n; ++i) b[i] = x_.data[i];
    }
  }
  static void subtract(const S* row, const S& factor, int count, S* to) {
    for (int i = 0; i < count; ++i) to[i] = to[i] - factor * row[i];
  }

  const Tree& tree_;
  int m_;
  Room<S, product(m, known)> P_, Q_;  ///< rows of J M^-1, and of Q^T
  Room<S, product(m, m)> D_;          ///< columns of D^-1, in axes of the world
  Room<S, known> x_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
