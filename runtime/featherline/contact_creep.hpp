// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

/// Points that stick keep their places. contact_step holds the velocity of such a point at the positions where the step
/// begins. But the path of the point bends while the robot turns about it. So after the step the point is beside its
/// place, by a distance of second order in dt. A simulation adds these up.
///
///     contact_step(q, v, tau, dt, contact, q_next, v_next, impulse, status);
///     frame_kinematics(q_next, p_next, J);   // with the points of --contacts as frames: NAME:point
///     for (int i = 0; i < 3 * points; ++i) way[i] = p_next[i] - p[i];
///     take_back_creep<points, nv>(J, way, contact, status, dq);
///     integrate(q_next, dq, q);
namespace featherline {

/// The step `dq` of positions, for `integrate`, that leads N points back where they stick: the smallest one, damped so
/// that it stays small where J is singular. It moves them along the ground alone, since the next step looks at the gaps
/// itself. Zero where no point sticks.
///
///   J         3 N x nv, column-major: Jacobians of the points in axes of the world, behind the step
///   way       3 a point: from its place before the step to that behind it
///   contact   6 a point, as contact_step takes it
///   status    as contact_step gives it
template <int N, int nv, class S>
void take_back_creep(const S* J, const S* way, const S* contact, const S* status, S* dq) {
  constexpr int n = 3 * N;
  S L[n][n], inverse[n], wanted[n] = {}, x[n], damping(0.0);
  const auto sticks = [&](int row) { return status[4 + row / 3] == S(1.0); };
  const auto product = [&](int i, int j) {  // of rows of J, where those of other points are zero
    S sum(0.0);
    for (int c = 0; c < nv && sticks(i) && sticks(j); ++c) sum += J[i + n * c] * J[j + n * c];
    return sum;
  };
  for (int i = 0; i < n; ++i) {
    const S diagonal = product(i, i);
    damping = diagonal > damping ? diagonal : damping;
    if (!sticks(i)) continue;
    const int at = i / 3 * 3;
    const S* normal = contact + 2 * at + 1;
    S along(0.0), square(0.0);
    for (int k = 0; k < 3; ++k) {
      along += normal[k] * way[at + k];
      square += normal[k] * normal[k];
    }
    wanted[i] = normal[i - at] * along / square - way[i];
  }
  damping *= S(1e-6);  // 1000 times the way at most
  // J J^T + damping = L D^-1 L^T, where D is the diagonal of L and `inverse` has D^-1.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      L[i][j] = product(i, j) + (j == i ? damping : S(0.0));
      for (int k = 0; k < j; ++k) L[i][j] -= L[i][k] * inverse[k] * L[j][k];
    }
    inverse[i] = damping > S(0.0) ? S(1.0) / L[i][i] : S(0.0);
  }
  for (int c = 0; c < nv; ++c) dq[c] = S(0.0);
  // The second pass brings what damping left: feet crept 1e-10 m a second without it.
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < n; ++i) {
      x[i] = wanted[i];
      for (int c = 0; c < nv && sticks(i); ++c) x[i] -= J[i + n * c] * dq[c];
      for (int k = 0; k < i; ++k) x[i] -= L[i][k] * inverse[k] * x[k];
    }
    for (int i = n - 1; i >= 0; --i) {
      x[i] *= inverse[i];
      for (int k = i + 1; k < n; ++k) x[i] -= L[k][i] * inverse[i] * x[k];
    }
    for (int c = 0; c < nv; ++c) {
      for (int i = 0; i < n; ++i) dq[c] += sticks(i) ? J[i + n * c] * x[i] : S(0.0);
    }
  }
}

}  // namespace featherline
