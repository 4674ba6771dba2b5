// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/contact_solver.hpp>
#include <featherline/prepare.hpp>

#include <algorithm>
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

  /// Returns whether these are the axes of the world.
  bool put(const S* normal) {
    using std::abs;
    S* n = axis[2];
    if (normal[0] == S(0.0) && normal[1] == S(0.0) && normal[2] > S(0.0)) {
      for (int k = 0; k < 9; ++k) axis[k / 3][k % 3] = S(k % 4 == 0 ? 1.0 : 0.0);
      return true;
    }
    put_unit(normal[0], normal[1], normal[2], n);
    if (abs(n[2]) < S(0.9)) {
      put_unit(n[1], -n[0], S(0.0), axis[0]);
    } else {
      put_unit(S(0.0), n[2], -n[1], axis[0]);
    }
    const S* t = axis[0];
    for (int k = 0; k < 3; ++k)
      axis[1][k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
    return false;
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

/// Row r of A X, where A has the axes of each point, and 1 for each joint behind them, added to `row`.
template <int of_points, int n, class S>
FEATHERLINE_INLINE void add_turned(const S* X, const ContactAxes<S>* axes, int r, S* row) {
  const S one(1.0);
  if (n > of_points && r >= of_points) {
    add_rows<n>(X + n * r, n, &one, 1, row);
  } else {
    add_rows<n>(X + n * (r / 3 * 3), n, axes[r / 3].axis[r % 3], 3, row);
  }
}

/// problem.D = A D A^T: rows first, then those of the transpose.
template <int N, class S, int K>
void turn_matrix(const S* D, const ContactAxes<S>* axes, ContactEquations<N, S, K>& problem) {
  constexpr int n = 3 * N + K;
  S columns[n][n];
  for (int r = 0; r < n; ++r) {
    S row[n] = {};
    add_turned<3 * N, n>(D, axes, r, row);
    for (int c = 0; c < n; ++c) columns[c][r] = row[c];
  }
  for (int r = 0; r < n; ++r) {
    for (S& x : problem.matrix[r]) x = S(0.0);
    add_turned<3 * N, n>(columns[0], axes, r, problem.matrix[r]);
  }
}

/// The points of a step, in their own axes, as `contact_step` takes them.
template <int N, class S, int K = 0>
struct ContactPoints {
  static constexpr int n = 3 * N;
  ContactAxes<S> axes[N];
  bool bounces[N];              ///< whether restitution decides the wanted speed, and not the gap
  S before[N];                  ///< speeds along the normals before the step
  bool are_valid, are_upright;  ///< whether all axes are those of the world

  ContactPoints(const S* D, const S* speeds, const S* contact, const S* joints,
                ContactEquations<N, S, K>& problem) {
    const S dt = speeds[2 * n];
    S sum(0.0);
    are_valid = dt > S(0.0);
    are_upright = true;
    for (int i = 0; i < N; ++i) {
      const S *of_point = contact + 6 * i, *free = speeds + 3 * i;
      const S gap = of_point[0], friction = of_point[4], restitution = of_point[5];
      are_upright = axes[i].put(of_point + 1) && are_upright;
      before[i] = axes[i].along(2, speeds + n + 3 * i);
      S* b = problem.b + 3 * i;
      for (int k = 0; k < 3; ++k) b[k] = are_upright ? free[k] : axes[i].along(k, free);
      // A point that would pass the ground in this step bounces if it approaches; else it may come as far as the ground.
      const S landing = -gap / dt, bounced = -restitution * before[i];
      bounces[i] = restitution > S(0.0) && before[i] < S(0.0) && b[2] < landing && bounced > landing;
      b[2] -= bounces[i] ? bounced : landing;
      problem.mu[i] = friction;
      sum += gap + b[0] + b[1] + b[2] + friction;
      are_valid = are_valid && friction >= S(0.0) && restitution >= S(0.0) && restitution <= S(1.0);
    }
    problem.D = problem.matrix;
    if (!are_upright) {
      turn_matrix(D, axes, problem);
    } else if (K > 0) {
      std::copy(D, D + problem.rows * problem.rows, problem.matrix[0]);
    } else {
      problem.D = reinterpret_cast<const S(*)[n + K]>(D);
    }
    // What is not a number in M or J is not one in these either.
    for (int r = 0; r < n; ++r) sum += problem.D[r][r];
    are_valid = are_valid && is_finite(sum);
    for (int j = 0; j < K; ++j) {
      const S *of_joint = joints + 4 * j, speed = of_joint[0], down = of_joint[1], up = of_joint[2],
              friction = of_joint[3];
      problem.b[n + j] = speed;
      problem.joint[j] = {down / dt, up / dt, friction * dt};
      are_valid = are_valid && is_finite(speed + problem.D[n + j][n + j]) && down <= up &&
                  friction >= S(0.0) && is_finite(friction);
    }
  }

  /// A vector of three numbers a point, from the axes of the points to those of the world, and back.
  void to_world(const S* x, S* y) const {
    if (are_upright) return copy_row<n>(x, y);
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < 3; ++k)
        y[3 * i + k] = axes[i].axis[0][k] * x[3 * i] + axes[i].axis[1][k] * x[3 * i + 1] +
                       axes[i].axis[2][k] * x[3 * i + 2];
    }
  }
  void from_world(const S* x, S* y) const {
    if (are_upright) return copy_row<n>(x, y);
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < 3; ++k) y[3 * i + k] = axes[i].along(k, x + 3 * i);
    }
  }
};

/// `start`: impulses to begin with, or nullptr. `joints` and `pushes` are those of K joints.
template <int N, int K, class Code, class S>
FEATHERLINE_NOINLINE void solve_contact_step(const S* D, const S* speeds, const S* contact, const S* joints,
                                             const S* start, S* impulse, S* pushes, S* status) {
  code_begins<Code, S>();
  ContactSolver<N, S, K> solver;
  const ContactPoints<N, S, K> points(D, speeds, contact, joints, solver.problem);
  const bool is_valid = points.are_valid;
  S lambda[3 * N + K] = {};
  ContactStatus<N, S> found{};
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
  for (int j = 0; j < K; ++j) pushes[j] = is_valid ? lambda[3 * N + j] : nothing;
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

/// Batches have their states solved one by one.
template <int N, int K, class Code, class S>
void solve_contact_steps(const S* D, const S* speeds, const S* contact, const S* joints, const S* start,
                         S* impulse, S* pushes, S* status) {
  if constexpr (HoldsStates<S>::value) {
    using T = std::decay_t<decltype(D->x[0])>;
    constexpr int n = 3 * N, all = n + K;
    T of_state[all * all], at[2 * n + 1], points[2 * n], bounds[4 * K + 1], first[n], results[all],
        said[N + 4];
    for (int k = 0; k < S::size; ++k) {
      put_state<all * all>(D, k, of_state);
      put_state<2 * n + 1>(speeds, k, at);
      put_state<2 * n>(contact, k, points);
      put_state<4 * K>(joints, k, bounds);
      if (start != nullptr) put_state<n>(start, k, first);
      solve_contact_step<N, K, void, T>(of_state, at, points, bounds, start != nullptr ? first : nullptr,
                                        results, results + n, said);
      for (int i = 0; i < n; ++i) impulse[i].x[k] = results[i];
      for (int i = 0; i < K; ++i) pushes[i].x[k] = results[n + i];
      for (int i = 0; i < N + 4; ++i) status[i].x[k] = said[i];
    }
  } else {
    solve_contact_step<N, K, Code>(D, speeds, contact, joints, start, impulse, pushes, status);
  }
}

}  // namespace detail

namespace contact_step {

/// As impulses() below, from `start`: impulses to begin with, of any size, in axes of the world.
template <int N, class Code, class S>
void impulses_from(const S* D, const S* speeds, const S* contact, const S* start, S* impulse, S* status) {
  const S* joints = nullptr;
  S* pushes = nullptr;
  detail::solve_contact_steps<N, 0, Code>(D, speeds, contact, joints, start, impulse, pushes, status);
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

/// The same with K joints that have limits and Coulomb friction, behind the points in D, which has 3 N + K rows. `joints`
/// has four numbers a joint: its speed without impulses, how far it may still go down and up, and the torque or force of
/// friction. A joint beyond a limit comes back to it in the step. Writes its impulses to `pushes`.
template <int N, int K, class Code, class S>
void impulses_and_joints(const S* D, const S* speeds, const S* contact, const S* joints, S* impulse,
                         S* pushes, S* status) {
  const S* start = nullptr;
  detail::solve_contact_steps<N, K, Code>(D, speeds, contact, joints, start, impulse, pushes, status);
}
/// Impulses of points, to begin with; those of joints begin with zero.
template <int N, int K, class Code, class S>
void impulses_and_joints_from(const S* D, const S* speeds, const S* contact, const S* joints, const S* start,
                              S* impulse, S* pushes, S* status) {
  detail::solve_contact_steps<N, K, Code>(D, speeds, contact, joints, start, impulse, pushes, status);
}

}  // namespace contact_step
}  // namespace featherline
