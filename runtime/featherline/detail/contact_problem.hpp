// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

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

/// Velocities after the step are u = D lambda + b. Rows of a point: two tangents, normal. A solution has at each point
///
///     0 <= lambda_N,  0 <= u_N,  lambda_N u_N = 0,  |lambda_T| <= mu lambda_N,  lambda_T |u_T| = -mu lambda_N u_T.
template <int N, class S>
struct ContactEquations {
  static constexpr int rows = 3 * N;
  S D[rows][rows], b[rows], mu[N];

  void velocities(const S* lambda, S* u) const {
    for (int i = 0; i < rows; ++i) {
      S sum = b[i];
      for (int j = 0; j < rows; ++j) sum += D[i][j] * lambda[j];
      u[i] = sum;
    }
  }

  /// The velocity that an impulse of one along a row gives that row; not zero.
  S normal(int i) const { return positive(D[3 * i + 2][3 * i + 2]); }
  S tangent(int i) const {
    const S* row = D[3 * i];
    const S* next = D[3 * i + 1];
    return positive(row[3 * i] > next[3 * i + 1] ? row[3 * i] : next[3 * i + 1]);
  }

  /// The impulse that one step of projection makes of (lambda, u): the same where they are a solution.
  void projected(int i, const S* lambda, const S* u, S* y) const {
    const S nn = normal(i), tt = tangent(i);
    const S y_N = lambda[3 * i + 2] - u[3 * i + 2] / nn;
    y[2] = y_N > S(0.0) ? y_N : S(0.0);
    const Pair<S> y_T{lambda[3 * i] - u[3 * i] / tt, lambda[3 * i + 1] - u[3 * i + 1] / tt};
    const S size = norm(y_T), most = mu[i] * y[2];
    const S part = size > most ? most / size : S(1.0);
    y[0] = part * y_T.x;
    y[1] = part * y_T.y;
  }

  /// The largest velocity by which (lambda, u) breaks a condition, or may break it in rounding, over the largest velocity
  /// without impulses. Not a number where one of them is not.
  S residual(const S* lambda, const S* u) const {
    using std::abs;
    S worst(0.0), scale(S(1e-30)), sum(0.0);
    for (int i = 0; i < N; ++i) {
      S y[3];
      projected(i, lambda, u, y);
      const S weight[3] = {tangent(i), tangent(i), normal(i)};
      for (int k = 0; k < 3; ++k) {
        const S rounding = S(contact_rounding<S>) * abs(lambda[3 * i + k]);
        const S error = weight[k] * (abs(lambda[3 * i + k] - y[k]) + rounding), free = abs(b[3 * i + k]);
        worst = error > worst ? error : worst;
        scale = free > scale ? free : scale;
        sum += u[3 * i + k] - lambda[3 * i + k];
      }
    }
    return worst / scale + S(0.0) * sum;
  }

 private:
  static S positive(const S& x) { return x > S(1e-30) ? x : S(1e-30); }
};

/// Solves A x = x by elimination with pivots; `n` of `most` rows are used. Pivots of zero give zeros.
template <int most, class S>
void solve_by_elimination(S (&A)[most][most], S* x, int n) {
  using std::abs;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) pivot = abs(A[i][k]) > abs(A[pivot][k]) ? i : pivot;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) {
        const S kept = A[k][j];
        A[k][j] = A[pivot][j];
        A[pivot][j] = kept;
      }
      const S kept = x[k];
      x[k] = x[pivot];
      x[pivot] = kept;
    }
    const S inverse = A[k][k] == S(0.0) ? S(0.0) : S(1.0) / A[k][k];
    for (int i = k + 1; i < n; ++i) {
      const S factor = A[i][k] * inverse;
      for (int j = k + 1; j < n; ++j) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
    A[k][k] = inverse;
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A[k][j] * x[j];
    x[k] *= A[k][k];
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
