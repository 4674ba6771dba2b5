// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/contact_solver.hpp>
#include <featherline/prepare.hpp>

#include <limits>
#include <type_traits>

/// The impulses of a step in time at points that may open, stick and slip. Emitted code computes what is before and behind
/// them.
namespace featherline {
namespace detail {

/// Two tangents and the normal, orthonormal, from a normal of any length but zero.
template <class S>
struct ContactAxes {
  S axis[3][3];

  void put(const S* normal) {
    using std::abs;
    S* n = axis[2];
    put_unit(normal[0], normal[1], normal[2], n);
    if (abs(n[2]) < S(0.9)) {
      put_unit(n[1], -n[0], S(0.0), axis[0]);
    } else {
      put_unit(S(0.0), n[2], -n[1], axis[0]);
    }
    const S* t = axis[0];
    for (int k = 0; k < 3; ++k)
      axis[1][k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
  }
  S along(int k, const S* x) const { return axis[k][0] * x[0] + axis[k][1] * x[1] + axis[k][2] * x[2]; }

 private:
  static void put_unit(const S& x, const S& y, const S& z, S* to) {
    using std::sqrt;
    const S inverse = S(1.0) / sqrt(x * x + y * y + z * z);
    to[0] = x * inverse;
    to[1] = y * inverse;
    to[2] = z * inverse;
  }
};

/// Not for infinite numbers, and not for NaN.
template <class S>
bool is_finite(const S& x) {
  return x - x == S(0.0);
}

/// problem.D = A D A^T, A having the axes of each point: rows first, then those of the transpose.
template <int N, class S>
void turn_matrix(const S* D, const ContactAxes<S>* axes, ContactEquations<N, S>& problem) {
  constexpr int n = 3 * N;
  S columns[n][n];
  for (int r = 0; r < n; ++r) {
    S row[n] = {};
    add_rows<n>(D + n * (r / 3 * 3), n, axes[r / 3].axis[r % 3], 3, row);
    for (int c = 0; c < n; ++c) columns[c][r] = row[c];
  }
  for (int r = 0; r < n; ++r) {
    for (S& x : problem.D[r]) x = S(0.0);
    add_rows<n>(columns[r / 3 * 3], n, axes[r / 3].axis[r % 3], 3, problem.D[r]);
  }
}

/// The points of a step, in their own axes, as `contact_step` takes them.
template <int N, class S>
struct ContactPoints {
  static constexpr int n = 3 * N;
  ContactAxes<S> axes[N];
  bool bounces[N];  ///< whether restitution decides the wanted speed, and not the gap
  S before[N];      ///< speeds along the normals before the step
  bool are_valid;

  ContactPoints(const S* D, const S* speeds, const S* contact, ContactEquations<N, S>& problem) {
    const S dt = speeds[2 * n];
    are_valid = dt > S(0.0);
    for (int i = 0; i < N; ++i) {
      const S *of_point = contact + 6 * i, *free = speeds + 3 * i;
      const S gap = of_point[0], friction = of_point[4], restitution = of_point[5];
      axes[i].put(of_point + 1);
      before[i] = axes[i].along(2, speeds + n + 3 * i);
      S* b = problem.b + 3 * i;
      for (int k = 0; k < 3; ++k) b[k] = axes[i].along(k, free);
      // A point that would pass the ground in this step bounces if it approaches; else it may come as far as the ground.
      const S landing = -gap / dt, bounced = -restitution * before[i];
      bounces[i] = restitution > S(0.0) && before[i] < S(0.0) && b[2] < landing && bounced > landing;
      b[2] -= bounces[i] ? bounced : landing;
      problem.mu[i] = friction;
      are_valid = are_valid && is_finite(gap) && is_finite(b[0] + b[1] + b[2]) && friction >= S(0.0) &&
                  is_finite(friction) && restitution >= S(0.0) && restitution <= S(1.0);
    }
    turn_matrix(D, axes, problem);
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) are_valid = are_valid && is_finite(problem.D[3 * i][3 * j]);
    }
  }

  /// A vector of three numbers a point, from the axes of the points to those of the world, and back.
  void to_world(const S* x, S* y) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < 3; ++k)
        y[3 * i + k] = axes[i].axis[0][k] * x[3 * i] + axes[i].axis[1][k] * x[3 * i + 1] +
                       axes[i].axis[2][k] * x[3 * i + 2];
    }
  }
  void from_world(const S* x, S* y) const {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < 3; ++k) y[3 * i + k] = axes[i].along(k, x + 3 * i);
    }
  }
};

/// `start`: impulses to begin with, or nullptr.
template <int N, class Code, class S>
FEATHERLINE_NOINLINE void solve_contact_step(const S* D, const S* speeds, const S* contact, const S* start,
                                             S* impulse, S* status) {
  code_begins<Code, S>();
  ContactSolver<N, S> solver;
  const ContactPoints<N, S> points(D, speeds, contact, solver.problem);
  const bool is_valid = points.are_valid;
  S lambda[3 * N];
  ContactStatus<N, S> found;
  ContactOptions<S> options;
  if (start != nullptr) {
    points.from_world(start, lambda);
    S sum(0.0);
    for (const S& x : lambda) sum += x;
    options.warm_start = is_finite(sum);
  }
  if (is_valid) solver.solve(options, lambda, found);
  const S nothing = std::numeric_limits<S>::quiet_NaN();
  if (is_valid) points.to_world(lambda, impulse);
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < 3 && !is_valid; ++k) impulse[3 * i + k] = nothing;
    status[4 + i] = is_valid ? S(static_cast<int>(found.mode[i])) : nothing;
  }
  status[0] = is_valid ? found.residual : nothing;
  status[1] = is_valid ? S(found.iterations) : S(0.0);
  status[2] = is_valid ? S(static_cast<int>(found.verdict)) : S(static_cast<int>(ContactVerdict::exhausted));
  status[3] = is_valid && found.is_unique ? S(1.0) : S(0.0);
  code_ends<Code, S>();
}

/// Whether a scalar holds several states (featherline/batch/lanes.hpp).
template <class S, class = void>
struct HoldsStates : std::false_type {};
template <class S>
struct HoldsStates<S, std::void_t<typename S::Vector>> : std::true_type {};

template <int count, class S, class T>
void put_state(const S* from, int k, T* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i].x[k];
}

}  // namespace detail

namespace contact_step {

/// As impulses() below, from `start`: impulses to begin with, of any size, in axes of the world.
/// Batches have their states solved one by one.
template <int N, class Code, class S>
void impulses_from(const S* D, const S* speeds, const S* contact, const S* start, S* impulse, S* status) {
  if constexpr (detail::HoldsStates<S>::value) {
    using T = std::decay_t<decltype(D->x[0])>;
    T of_state[9 * N * N], at[6 * N + 1], points[6 * N], first[3 * N], pushes[3 * N], results[N + 4];
    for (int k = 0; k < S::size; ++k) {
      detail::put_state<9 * N * N>(D, k, of_state);
      detail::put_state<6 * N + 1>(speeds, k, at);
      detail::put_state<6 * N>(contact, k, points);
      if (start != nullptr) detail::put_state<3 * N>(start, k, first);
      detail::solve_contact_step<N, void, T>(of_state, at, points, start != nullptr ? first : nullptr, pushes,
                                             results);
      for (int i = 0; i < 3 * N; ++i) impulse[i].x[k] = pushes[i];
      for (int i = 0; i < N + 4; ++i) status[i].x[k] = results[i];
    }
  } else {
    detail::solve_contact_step<N, Code>(D, speeds, contact, start, impulse, status);
  }
}

/// For N points: D, the Delassus matrix in axes of the world, 3 N x 3 N, column-major. `speeds` has the velocities of the
/// points without impulses, those before the step, and dt; `contact` a point gap, normal, friction, restitution.
/// Writes impulses in axes of the world, and the status: residual, iterations, verdict, unique, a mode a point. Normals
/// have any length but zero. Bad input gives impulses that are not numbers, and the verdict 1: a normal of zero, a friction
/// below 0, a restitution outside of 0 to 1, a dt that is not above 0, or anything that is not a number.
template <int N, class Code, class S>
void impulses(const S* D, const S* speeds, const S* contact, S* impulse, S* status) {
  impulses_from<N, Code, S>(D, speeds, contact, nullptr, impulse, status);
}

}  // namespace contact_step
}  // namespace featherline
