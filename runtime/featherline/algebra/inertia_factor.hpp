// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

/// Factorisation and inversion of the joint-space inertia M, and second derivatives of forward dynamics.
/// Straight-line code and loops share this file. They differ in two helpers, which `Ops` provides:
///   subtract(row, l, to, count)                to[j] -= l row[j] for j < count
///   minus_combination(A, b, list, count, x)    x[j] = minus the sum over the k in `list` of b[k] A[k][j] for j < count
namespace featherline::algebra {
inline namespace FEATHERLINE_REGISTERS {

/// A matrix by rows, or a symmetric one by columns: data[k] begins row k.
template <class T>
struct Rows {
  T* data;
  int stride;

  T* operator[](int k) const { return data + stride * k; }
};

/// M = L^T D L with a unit lower triangular L (Featherstone, RBDA table 6.3). The zeros of a branching tree stay
/// zeros. `L` holds M before the call. After it, `L` holds L below the diagonal. `inverse_D` gets the inverse of D,
/// so that each coordinate needs one division. pattern.before(k) lists the i < k, ascending, where row k of L is not
/// zero.
template <class Ops, class Pattern, class T>
void factor_inertia(const Pattern& pattern, int n, Rows<T> L, T* inverse_D) {
  for (int k = n; k-- > 0;) {
    T* row = L[k];
    inverse_D[k] = T(1.0) / row[k];
    const auto before = pattern.before(k);
    for (int m = before.count; m-- > 0;) {
      const int i = before[m];
      const T l = row[i] * inverse_D[k];
      Ops::subtract(row, l, L[i], i + 1);
      row[i] = l;
    }
  }
}

/// Z = M^-1, full and symmetric, from L Z = D^-1 L^-T row by row. `Z` is zero before; `x` has room for a row.
template <class Ops, class Pattern, class T>
void invert_factored(const Pattern& pattern, int n, Rows<T> L, const T* inverse_D, Rows<T> Z, T* x) {
  for (int i = 0; i < n; ++i) {
    const auto before = pattern.before(i);
    T diagonal = inverse_D[i];
    if (before.count > 0) {
      Ops::minus_combination(Z, L[i], before, i, x);
      for (int j = 0; j < i; ++j) Z[i][j] = Z[j][i] = x[j];
      for (int m = 0; m < before.count; ++m) diagonal = diagonal - L[i][before[m]] * Z[i][before[m]];
    }
    Z[i][i] = diagonal;
  }
}

/// Second derivatives of forward dynamics, in place of those of inverse dynamics at the same acceleration. With
/// a = aba(q, v, tau) held in tau(q, v, a) = tau, differentiating M a + b(q, v) = tau twice gives, for x and y any two
/// coordinates of q and v,
///   M a_xy + tau_xy + M_x a_y + M_y a_x = 0
/// where tau_xy are the second derivatives of inverse dynamics at that a (paper 002), M_x = dM/dx (zero for v) and a_x
/// the first derivatives of forward dynamics, a_x = -M^-1 tau_x. With Y_j = M^-1 (dM/dq_j) M^-1 that is
///   d2a_dqdq(:, j, k) = -M^-1 tau_qq(:, j, k) + Y_j tau_q(:, k) + Y_k tau_q(:, j)
///   d2a_dqdv(:, j, k) = -M^-1 tau_qv(:, j, k) + Y_j tau_v(:, k)
///   d2a_dvdv(:, j, k) = -M^-1 tau_vv(:, j, k)
///   d2a_dqdtau(:, j, k) = -Y_j(:, k).
/// Matrices and tensors are column-major; dM_dq becomes d2a_dqdtau. pattern.related(k): the coordinates on one path
/// with k; where j and k are on none, T(:, j, k) is zero. `solver` brings M^-1:
///   solve(b, list, x)      x = M^-1 b, b zero outside `list`
///   sandwich(D, list)      remembers Y = M^-1 D M^-1, D zero outside `list`, and writes it to D
///   times_Y(b, list, x)    x = Y b
template <class Solver, class Pattern, class T>
void solve_second_derivatives(Solver& solver, const Pattern& pattern, int n, const T* dtau_dq,
                              const T* dtau_dv, T* dqdq, T* dvdv, T* dqdv, T* dM_dq, T* x) {
  const int n2 = n * n;
  for (T* tensor : {dqdq, dvdv, dqdv}) {
    for (int k = 0; k < n; ++k) {
      const auto related = pattern.related(k);
      for (int m = 0; m < related.count; ++m) {
        T* column = tensor + n2 * k + n * related[m];
        solver.solve(column, related, x);  // the i on a path with j and k are among those with either
        for (int i = 0; i < n; ++i) column[i] = -x[i];
      }
    }
  }
  for (int j = 0; j < n; ++j) {
    solver.sandwich(dM_dq + n2 * j, pattern.related(j));
    for (int k = 0; k < n; ++k) {
      T *jk = dqdq + n * j + n2 * k, *kj = dqdq + n * k + n2 * j, *mixed = dqdv + n * j + n2 * k;
      solver.times_Y(dtau_dq + n * k, pattern.related(k), x);
      for (int i = 0; i < n; ++i) jk[i] = jk[i] + x[i];
      for (int i = 0; i < n; ++i) kj[i] = kj[i] + x[i];
      solver.times_Y(dtau_dv + n * k, pattern.related(k), x);
      for (int i = 0; i < n; ++i) mixed[i] = mixed[i] + x[i];
    }
  }
  for (int k = 0; k < n; ++k) {  // T(i, j, k) = -T(i, k, j)
    for (int j = 0; j <= k; ++j) {
      for (int i = 0; i < n; ++i) {
        T &a = dM_dq[i + n * j + n2 * k], &b = dM_dq[i + n * k + n2 * j];
        const T old = a;
        a = -b;
        b = -old;
      }
    }
  }
}

/// The same contracted with w: second derivatives of w^T a with respect to (q, v), 2 n x 2 n, from H_tau, those of
/// lambda^T tau with lambda = M^-1 w, and P(j, k) = sum over i of lambda_i dM_ij/dq_k:
///   H_qq = -H_tau_qq + Q tau_q + (Q tau_q)^T,  H_qv = -H_tau_qv + Q tau_v,  H_vv = -H_tau_vv,  Q = P^T M^-1.
/// `solver` brings solve() as above and
///   keep_row(k, x)         remembers row k of Q
///   times_Q(b, list, x)    x = Q b.
template <class Solver, class Pattern, class T>
void solve_hessian(Solver& solver, const Pattern& pattern, int n, const T* dtau_dq, const T* dtau_dv,
                   const T* P, const T* H_tau, T* H, T* x) {
  const int n2 = 2 * n;
  for (int k = 0; k < n; ++k) {
    solver.solve(P + n * k, pattern.related(k), x);
    solver.keep_row(k, x);
  }
  for (int e = 0; e < n2 * n2; ++e) H[e] = -H_tau[e];
  for (int k = 0; k < n; ++k) {
    solver.times_Q(dtau_dq + n * k, pattern.related(k), x);
    for (int j = 0; j < n; ++j) H[n2 * k + j] = H[n2 * k + j] + x[j];
    for (int j = 0; j < n; ++j) H[n2 * j + k] = H[n2 * j + k] + x[j];
    solver.times_Q(dtau_dv + n * k, pattern.related(k), x);
    for (int j = 0; j < n; ++j) H[n2 * (n + k) + j] = H[n2 * (n + k) + j] + x[j];
    for (int j = 0; j < n; ++j) H[n2 * j + n + k] = H[n2 * j + n + k] + x[j];
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::algebra
