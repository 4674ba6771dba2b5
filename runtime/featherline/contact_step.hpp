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

/// The velocity along its normal that a point has to reach. Where it would pass the ground in this step, a point that
/// approaches bounces; otherwise it may come as far as the ground.
template <class S>
S wanted_speed(const S& gap, const S& restitution, const S& before, const S& free, const S& dt) {
  const S lands = -gap / dt;
  const bool bounces = restitution > S(0.0) && before < S(0.0) && free < lands;
  const S bounced = -restitution * before;
  return bounces && bounced > lands ? bounced : lands;
}

/// Not for infinite numbers, and not for NaN.
template <class S>
bool is_finite(const S& x) {
  return x - x == S(0.0);
}

/// The block D_ij and its transpose, turned into the axes of both points.
template <int N, class S>
void turn_block(const S* D, const ContactAxes<S>* axes, int i, int j, ContactEquations<N, S>& problem) {
  constexpr int n = 3 * N;
  S half[3][3];  // D_ij times the axes of j
  for (int r = 0; r < 3; ++r) {
    const S row[3] = {D[3 * i + r + n * (3 * j)], D[3 * i + r + n * (3 * j + 1)],
                      D[3 * i + r + n * (3 * j + 2)]};
    for (int k = 0; k < 3; ++k) half[r][k] = axes[j].along(k, row);
  }
  for (int k = 0; k < 3; ++k) {
    const S column[3] = {half[0][k], half[1][k], half[2][k]};
    for (int r = 0; r < 3; ++r)
      problem.D[3 * i + r][3 * j + k] = problem.D[3 * j + k][3 * i + r] = axes[i].along(r, column);
  }
}

template <int N, class Code, class S>
FEATHERLINE_NOINLINE void solve_contact_step(const S* D, const S* speeds, const S* contact, S* impulse,
                                             S* status) {
  code_begins<Code, S>();
  constexpr int n = 3 * N;
  const S dt = speeds[2 * n];
  ContactSolver<N, S> solver;
  ContactEquations<N, S>& problem = solver.problem;
  ContactAxes<S> axes[N];
  bool is_valid = dt > S(0.0);
  for (int i = 0; i < N; ++i) {
    const S *of_point = contact + 6 * i, *free = speeds + 3 * i, *before = speeds + n + 3 * i;
    const S gap = of_point[0], restitution = of_point[5];
    axes[i].put(of_point + 1);
    S* b = problem.b + 3 * i;
    for (int k = 0; k < 3; ++k) b[k] = axes[i].along(k, free);
    b[2] = b[2] - wanted_speed(gap, restitution, axes[i].along(2, before), b[2], dt);
    problem.mu[i] = of_point[4];
    is_valid = is_valid && is_finite(gap) && is_finite(b[0] + b[1] + b[2]) && of_point[4] >= S(0.0) &&
               is_finite(of_point[4]) && restitution >= S(0.0) && restitution <= S(1.0);
    for (int j = 0; j <= i; ++j) turn_block(D, axes, i, j, problem);
    for (int j = 0; j <= i; ++j) is_valid = is_valid && is_finite(problem.D[3 * i][3 * j]);
  }
  S lambda[n];
  ContactStatus<N, S> found;
  if (is_valid) solver.solve({}, lambda, found);
  const S nothing = std::numeric_limits<S>::quiet_NaN();
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < 3; ++k) {
      S sum(0.0);
      for (int r = 0; r < 3; ++r) sum += axes[i].axis[r][k] * lambda[3 * i + r];
      impulse[3 * i + k] = is_valid ? sum : nothing;
    }
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

/// For N points: D, the Delassus matrix in axes of the world, 3 N x 3 N, column-major. `speeds` has the velocities of the
/// points without impulses, those before the step, and dt; `contact` a point gap, normal, friction, restitution.
/// Writes impulses in axes of the world, and the status: residual, iterations, verdict, unique, a mode a point. Normals
/// have any length but zero. A normal of zero, a friction below 0, a restitution outside of 0 to 1, a dt that is not
/// above 0, or anything that is not a number, gives impulses that are not numbers, and the verdict 1.
/// Batches have their states solved one by one.
template <int N, class Code, class S>
void impulses(const S* D, const S* speeds, const S* contact, S* impulse, S* status) {
  if constexpr (detail::HoldsStates<S>::value) {
    using T = std::decay_t<decltype(D->x[0])>;
    T of_state[9 * N * N], at[6 * N + 1], points[6 * N], pushes[3 * N], results[N + 4];
    for (int k = 0; k < S::size; ++k) {
      detail::put_state<9 * N * N>(D, k, of_state);
      detail::put_state<6 * N + 1>(speeds, k, at);
      detail::put_state<6 * N>(contact, k, points);
      detail::solve_contact_step<N, void>(of_state, at, points, pushes, results);
      for (int i = 0; i < 3 * N; ++i) impulse[i].x[k] = pushes[i];
      for (int i = 0; i < N + 4; ++i) status[i].x[k] = results[i];
    }
  } else {
    detail::solve_contact_step<N, Code>(D, speeds, contact, impulse, status);
  }
}

}  // namespace contact_step
}  // namespace featherline
