// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <cmath>

/// Ten numbers without bounds for the ten inertial parameters of a body. Every theta is a body that can exist: its
/// pseudo-inertia [Sigma, m c; (m c)^T, m], with the second moments Sigma = tr(I)/2 1 - I, is U U^T, and so positive
/// definite. Every body of positive density has one theta. Optimisers and learners move theta instead of the
/// parameters.
///
///   theta = alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3
///   U = e^alpha [e^d1  s12   s13   t1]
///               [ 0    e^d2  s23   t2]
///               [ 0    0     e^d3  t3]
///               [ 0    0     0     1 ]
///   pi = m [kg], m cx, m cy, m cz [kg m], Ixx, Ixy, Iyy, Ixz, Iyz, Izz [kg m^2] about the origin of the body's frame, as
///        in `regressor` and payloads. t is the centre of mass.
///
/// Source: Rucker, Wensing, "Smooth Parameterization of Rigid-Body Inertia", IEEE Robotics and Automation Letters 2022.
namespace featherline {

namespace detail {

/// For each of the ten parameters, the signs and rows (i, k) of the entries of U U^T that it is the sum of.
struct PseudoEntry {
  int sign, i, k, j, l;  ///< sign (U U^T)(i, k), and (U U^T)(j, l) if j >= 0
};
inline constexpr PseudoEntry pseudo_entries[10] = {
    {1, 3, 3, -1, 0},  {1, 0, 3, -1, 0}, {1, 1, 3, -1, 0},  {1, 2, 3, -1, 0},  {1, 1, 1, 2, 2},
    {-1, 0, 1, -1, 0}, {1, 0, 0, 2, 2},  {-1, 0, 2, -1, 0}, {-1, 1, 2, -1, 0}, {1, 0, 0, 1, 1}};

/// U over e^alpha, row by row.
template <class S>
struct LogCholeskyFactor {
  S U[4][4];

  explicit LogCholeskyFactor(const S* theta) {
    using std::exp;
    for (auto& row : U) {
      for (S& entry : row) entry = S(0);
    }
    for (int i = 0; i < 3; ++i) {
      U[i][i] = exp(theta[1 + i]);
      U[i][3] = theta[7 + i];
    }
    U[0][1] = theta[4];
    U[1][2] = theta[5];
    U[0][2] = theta[6];
    U[3][3] = S(1);
  }
};

/// Rows i of A times rows k of B.
template <class S>
inline S row_product(const S (&A)[4][4], int i, const S (&B)[4][4], int k) {
  return A[i][0] * B[k][0] + A[i][1] * B[k][1] + A[i][2] * B[k][2] + A[i][3] * B[k][3];
}

}  // namespace detail

/// pi (10) of theta (10). Templates over the scalar: float, double, std::complex, dual numbers that have exp.
template <class S>
inline void inertia_from_log_cholesky(const S* theta, S* pi) {
  using std::exp;
  const detail::LogCholeskyFactor<S> factor(theta);
  const S scale = exp(theta[0] + theta[0]);
  for (int r = 0; r < 10; ++r) {
    const detail::PseudoEntry& e = detail::pseudo_entries[r];
    S entry = detail::row_product(factor.U, e.i, factor.U, e.k);
    if (e.j >= 0) entry = entry + detail::row_product(factor.U, e.j, factor.U, e.l);
    pi[r] = S(e.sign) * scale * entry;
  }
}

/// d pi_i / d theta_j (10 x 10, column-major).
template <class S>
inline void inertia_from_log_cholesky_derivative(const S* theta, S* dpi_dtheta) {
  using std::exp;
  const detail::LogCholeskyFactor<S> factor(theta);
  const S scale = exp(theta[0] + theta[0]);
  constexpr int rows[10] = {0, 0, 1, 2, 0, 1, 0, 0, 1, 2}, columns[10] = {0, 0, 1, 2, 1, 2, 2, 3, 3, 3};
  inertia_from_log_cholesky(theta, dpi_dtheta);
  for (int r = 0; r < 10; ++r) dpi_dtheta[r] = S(2) * dpi_dtheta[r];  // by alpha
  for (int c = 1; c < 10; ++c) {
    // The entry of U at (row, column) changes: by itself if it is an exponential.
    const int row = rows[c], column = columns[c];
    const S rate = row == column ? factor.U[row][row] : S(1);
    const auto change = [&](int i, int k) {
      S sum(0);
      if (i == row) sum = sum + factor.U[k][column];
      if (k == row) sum = sum + factor.U[i][column];
      return sum;
    };
    for (int r = 0; r < 10; ++r) {
      const detail::PseudoEntry& e = detail::pseudo_entries[r];
      S entry = change(e.i, e.k);
      if (e.j >= 0) entry = entry + change(e.j, e.l);
      dpi_dtheta[r + 10 * c] = S(e.sign) * scale * rate * entry;
    }
  }
}

/// The theta of pi, for real scalars. Returns false, and writes nothing, where pi is no body of positive density: its
/// pseudo-inertia is not positive definite, or has NaN.
template <class S>
inline bool log_cholesky_from_inertia(const S* pi, S* theta) {
  using std::log;
  using std::sqrt;
  if (!(pi[0] > S(0))) return false;
  const S t[3] = {pi[1] / pi[0], pi[2] / pi[0], pi[3] / pi[0]};
  const S trace = (pi[4] + pi[6] + pi[9]) / (S(2) * pi[0]);
  // Second moments about the centre of mass, over m: L L^T with an upper triangle L.
  const S xx = trace - pi[4] / pi[0] - t[0] * t[0], yy = trace - pi[6] / pi[0] - t[1] * t[1],
          zz = trace - pi[9] / pi[0] - t[2] * t[2], xy = -pi[5] / pi[0] - t[0] * t[1],
          xz = -pi[7] / pi[0] - t[0] * t[2], yz = -pi[8] / pi[0] - t[1] * t[2];
  if (!(zz > S(0))) return false;
  const S e3 = sqrt(zz), s13 = xz / e3, s23 = yz / e3, square2 = yy - s23 * s23;
  if (!(square2 > S(0))) return false;
  const S e2 = sqrt(square2), s12 = (xy - s13 * s23) / e2, square1 = xx - s12 * s12 - s13 * s13;
  if (!(square1 > S(0))) return false;
  const S values[10] = {
      log(pi[0]) / S(2), log(square1) / S(2), log(e2), log(e3), s12, s23, s13, t[0], t[1], t[2]};
  for (int k = 0; k < 10; ++k) theta[k] = values[k];
  return true;
}

}  // namespace featherline
