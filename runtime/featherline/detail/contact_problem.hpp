// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_joints.hpp>
#include <featherline/detail/row_vectors.hpp>

#include <cmath>

/// The problem that contact_solver.hpp solves, and how far from its solution a set of impulses is.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// What rounding leaves, and what is added to the diagonal of systems that may be singular, as parts of their entries.
template <class S>
inline constexpr double contact_rounding = 1e-15;
template <>
inline constexpr double contact_rounding<float> = 3e-7;
template <class S>
inline constexpr double contact_proximity = 1e-9;
template <>
inline constexpr double contact_proximity<float> = 1e-5;

/// A residual that rounding alone may leave: no method goes on below it.
template <class S>
inline constexpr double contact_aim = 1e-13;
template <>
inline constexpr double contact_aim<float> = 3e-6;

template <class S>
struct Pair {
  S x, y;
};
template <class S>
inline S norm(const Pair<S>& a) {
  using std::sqrt;
  return sqrt(a.x * a.x + a.y * a.y);
}

/// sum x[k] row_k over `count` rows that are `stride` apart, added to y.
template <int n, class S>
FEATHERLINE_INLINE void add_rows(const S* rows, int stride, const S* x, int count, S* y) {
  RowSums<n, S, 1> sum;
  sum.clear();
  for (int k = 0; k < count; ++k) sum.subtract_row(rows + stride * k, -x[k]);
  sum.template add<0>(y);
  sum.template store<0>(y);
}

template <int n, class S>
void exchange(S* x, S* y) {
  for (int k = 0; k < n; ++k) {
    const S kept = x[k];
    x[k] = y[k];
    y[k] = kept;
  }
}

/// Velocities after the step are u = D lambda + b. Rows of a point: two tangents, normal. A solution has at each point
///
///     0 <= lambda_N,  0 <= u_N,  lambda_N u_N = 0,  |lambda_T| <= mu lambda_N,  lambda_T |u_T| = -mu lambda_N u_T.
///
/// Behind the points may be K joints with limits and friction, a row each.
template <int N, class S, int K = 0>
struct ContactEquations {
  static constexpr int of_points = 3 * N, rows = of_points + K;
  S D[rows][rows], b[rows], mu[N];
  JointBounds<S> joint[K > 0 ? K : 1];

  // Set by prepare():
  S normal[N], tangent[N];        ///< velocities that an impulse of one along a row gives that row; not zero
  S by_normal[N], by_tangent[N];  ///< one over these
  S free;                         ///< the largest velocity without impulses; not zero

  void prepare() {
    using std::abs;
    free = least();
    for (int i = 0; i < N; ++i) {
      const S x = D[3 * i][3 * i], y = D[3 * i + 1][3 * i + 1], z = D[3 * i + 2][3 * i + 2];
      tangent[i] = larger(x, larger(y, least()));
      normal[i] = larger(z, least());
      by_normal[i] = S(1.0) / normal[i];
      by_tangent[i] = S(1.0) / tangent[i];
      for (int k = 0; k < 3; ++k) free = larger(abs(b[3 * i + k]), free);
    }
    for (int r = of_points; r < rows; ++r) {
      free = larger(joint[r - of_points].low, larger(-joint[r - of_points].high, larger(abs(b[r]), free)));
      D[r][r] = larger(D[r][r], least());
    }
  }
  /// The impulse and speed of joint row r that one step of projection makes of (lambda, u).
  typename JointBounds<S>::Met met(int r, const S* lambda, const S* u) const {
    return joint[r - of_points].at(D[r][r], lambda[r] - u[r] / D[r][r]);
  }
  /// What makes systems of redundant points regular.
  S proximity() const {
    S most(0.0);
    for (int i = 0; i < N; ++i) most = larger(normal[i], most);
    return S(contact_proximity<S>) * most;
  }
  static S larger(const S& x, const S& other) { return x > other ? x : other; }

  void velocities(const S* lambda, S* u) const {
    for (int i = 0; i < rows; ++i) u[i] = b[i];
    add_rows<rows>(D[0], rows, lambda, rows, u);
  }

  /// The impulse that one step of projection makes of (lambda, u), before it is put into the cone.
  struct Stepped {
    S pressure;
    Pair<S> friction;
  };
  Stepped stepped(int i, const S* lambda, const S* u) const {
    const S *x = lambda + 3 * i, *at = u + 3 * i;
    return {x[2] - at[2] * by_normal[i], {x[0] - at[0] * by_tangent[i], x[1] - at[1] * by_tangent[i]}};
  }

  /// The largest velocity by which (lambda, u) breaks a condition, or may break it in rounding, over the largest velocity
  /// without impulses. Not a number where one of them is not. A step of projection leaves a solution as it is.
  S residual(const S* lambda, const S* u) const {
    using std::abs;
    S worst(0.0), sum(0.0);
    for (int i = 0; i < N; ++i) {
      const Stepped y = stepped(i, lambda, u);
      const S y_N = larger(y.pressure, S(0.0)), size = norm(y.friction), most = mu[i] * y_N;
      const S part = size > most ? most / size : S(1.0);
      const S next[3] = {part * y.friction.x, part * y.friction.y, y_N},
              weight[3] = {tangent[i], tangent[i], normal[i]};
      for (int k = 0; k < 3; ++k) {
        const S& x = lambda[3 * i + k];
        worst = larger(weight[k] * (abs(x - next[k]) + S(contact_rounding<S>) * abs(x)), worst);
        sum += u[3 * i + k] - x;
      }
    }
    for (int r = of_points; r < rows; ++r) {
      const S& x = lambda[r];
      const S change = abs(x - met(r, lambda, u).impulse) + S(contact_rounding<S>) * abs(x);
      worst = larger(D[r][r] * change, worst);
      sum += u[r] - x;
    }
    return worst / free + S(0.0) * sum;
  }

 private:
  static S least() { return S(1e-30); }
};

/// Solves A X = X for `columns` right sides by elimination; `n` of `most` rows are used. The diagonal is large in what these
/// solve, so another pivot is looked for only where it has shrunk. Pivots of zero give zeros. Rows are taken whole, in
/// vectors: what is left of the pivots is not read again.
template <int columns, int most, class S>
void solve_by_elimination(S (&A)[most][most], S (*X)[columns], int n) {
  using std::abs;
  S inverse[most], enough[most];
  for (int k = 0; k < n; ++k) enough[k] = S(0.01) * abs(A[k][k]);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    const int last = abs(A[k][k]) > enough[k] ? k : n;
    for (int i = k + 1; i < last; ++i) pivot = abs(A[i][k]) > abs(A[pivot][k]) ? i : pivot;
    if (pivot != k) {
      exchange<most>(A[k], A[pivot]);
      exchange<columns>(X[k], X[pivot]);
    }
    inverse[k] = A[k][k] == S(0.0) ? S(0.0) : S(1.0) / A[k][k];
    for (int i = k + 1; i < n; ++i) {
      const S factor = -A[i][k] * inverse[k];
      add_rows<most>(A[k], 0, &factor, 1, A[i]);
      add_rows<columns>(X[k], 0, &factor, 1, X[i]);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int c = 0; c < columns; ++c) X[k][c] *= inverse[k];
    for (int i = 0; i < k; ++i) {
      const S factor = -A[i][k];
      add_rows<columns>(X[k], 0, &factor, 1, X[i]);
    }
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
