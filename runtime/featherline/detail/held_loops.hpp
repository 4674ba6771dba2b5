// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/config.hpp>

/// Derivatives of inverse dynamics under constraints. "Held" are the m rows J of the constraints: the robot moves as
/// given, and forces hold these rows. The forces are a matrix L times what f of the n coordinates, those without
/// motors, need. From a column b of the derivatives of inverse dynamics at constant forces,
///
///     dlambda = L (b_f + r) + s,  dtau = b - J^T dlambda.
///
/// Of columns by v and by a, r and s are zero. Matrices are column-major.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class S>
struct HeldInputs {
  const S* rows;      ///< J, m x n, by rows
  const S* forces;    ///< -L, m x f
  const S* residual;  ///< r of the columns by q, f x n
  const S* shift;     ///< s of the columns by q, m x n
  const S* b[3];      ///< by q, v and a, n x n
};
/// n x n and m x n, by q, v and a.
template <class S>
struct HeldOutputs {
  S *dtau[3], *dlambda[3];
};

/// Loops for scalars and trees that nothing is unrolled for. `reach`: room for n x f numbers, J^T L.
template <class S>
void held_loops(int m, int n, int f, const int* coordinates, const HeldInputs<S>& in,
                const HeldOutputs<S>& to, S* reach) {
  const auto subtract = [](const S* row, const S& factor, int count, S* x) {
    for (int i = 0; i < count; ++i) x[i] = x[i] - row[i] * factor;
  };
  for (int u = 0; u < f; ++u) {
    for (int i = 0; i < n; ++i) reach[n * u + i] = S(0);
    for (int r = 0; r < m; ++r) subtract(in.rows + n * r, in.forces[m * u + r], n, reach + n * u);
  }
  for (int by = 0; by < 3; ++by) {
    for (int j = 0; j < n; ++j) {
      const S* b = in.b[by] + n * j;
      S *tau = to.dtau[by] + n * j, *lambda = to.dlambda[by] + m * j;
      for (int i = 0; i < n; ++i) tau[i] = b[i];
      for (int r = 0; r < m; ++r) {
        lambda[r] = by == 0 ? in.shift[m * j + r] : S(0);
        subtract(in.rows + n * r, lambda[r], n, tau);
      }
      for (int u = 0; u < f; ++u) {
        const S sum = by == 0 ? b[coordinates[u]] + in.residual[f * j + u] : b[coordinates[u]];
        subtract(reach + n * u, sum, n, tau);
        subtract(in.forces + m * u, sum, m, lambda);
      }
    }
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
