// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/contact_step.hpp>

/// How the impulses of a step in time change, by the implicit function theorem and the mode of each point. Emitted code
/// computes what is before and behind them.
namespace featherline {
namespace detail {

/// For N points at the solution of contact_step::impulses. With the modes held, impulses change by -G U where U is, in
/// axes of the world, what the velocities of the points less those wanted change by while impulses are held. With the
/// tests B, the impulses E, and the equations K of ModeEquations, G = E K^-1 B^T.
template <int N, class S>
class ContactResponse {
 public:
  static constexpr int n = 3 * N;

  ContactResponse(const S* D, const S* speeds, const S* contact, const S* impulse, const S* status)
      : points_(D, speeds, contact, nullptr, problem_), rate_(S(1.0) / speeds[2 * n]) {
    problem_.prepare();
    points_.from_world(impulse, lambda_);
    problem_.velocities(lambda_, u_);
    modes_.read(problem_, lambda_, u_);
    for (int i = 0; i < N; ++i) modes_.mode[i] = static_cast<ContactMode>(static_cast<int>(status[4 + i]));
    fill_columns(status[3] == S(1.0));
  }

  /// G, n x n, by rows.
  void put_response(S* G) const {
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) G[n * r + c] = columns_[c][r];
    }
  }
  /// For each point what the wanted speed adds to U: a normal, and how much of U's part along it comes from a velocity
  /// after the step by gap / dt, and from one before the step by restitution.
  void put_ground(const S* contact, S* ground) const {
    for (int i = 0; i < N; ++i, ground += 5) {
      for (int k = 0; k < 3; ++k) ground[k] = points_.axes[i].axis[2][k];
      ground[3] = points_.bounces[i] ? S(0.0) : rate_;
      ground[4] = points_.bounces[i] ? contact[6 * i + 5] : S(0.0);
    }
  }
  /// Derivatives of the impulses by all gaps, frictions and restitutions, n x 3 N, by rows.
  void put_pushes(S* pushes) const {
    for (int i = 0; i < N; ++i) {
      S by_speed[n] = {}, by_friction[n] = {};
      add_rows<n>(columns_[3 * i], n, points_.axes[i].axis[2], 3, by_speed);
      if (modes_.mode[i] == ContactMode::sliding) add_friction(i, by_friction);
      for (int r = 0; r < n; ++r) {
        S* row = pushes + n * r + i;
        row[0] = points_.bounces[i] ? S(0.0) : -rate_ * by_speed[r];
        row[N] = by_friction[r];
        row[2 * N] = points_.bounces[i] ? -points_.before[i] * by_speed[r] : S(0.0);
      }
    }
  }

 private:
  /// Where points are redundant, K is regular with what is added to its diagonal, and a second solution takes away
  /// nearly all of the error.
  void fill_columns(bool is_regular) {
    S X[n][n], right[n][n];
    ModeEquations<N, S> equations;
    equations.read(problem_, modes_, lambda_, u_);
    equations.fill(problem_);
    if (!is_regular) equations.make_regular(problem_);
    equations.system.factorise(S(0.0));
    const S proximity = problem_.proximity();
    const int size = equations.system.size;
    for (int pass = 0; pass < (is_regular ? 1 : 2); ++pass) {
      equations.right_sides(points_.axes, right);
      for (int r = 0; r < size && pass > 0; ++r) add_rows<n>(X[r], 0, &proximity, 1, right[r]);
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < n; ++c) X[r][c] = right[r][c];
      }
      equations.system.template solve<n>(X);
    }
    for (int c = 0; c < n; ++c) {
      S x[n], turned[n] = {};
      for (int r = 0; r < size; ++r) x[r] = X[r][c];
      equations.add_impulses(x, turned);
      points_.to_world(turned, columns_[c]);
    }
  }
  /// A slider with more friction: d = lambda_T / mu, and what G makes of D d.
  void add_friction(int i, S* sum) const {
    S own[n] = {}, moved[n] = {}, in_world[n];
    own[3 * i] = -lambda_[3 * i + 2] * modes_.slip(i).x;
    own[3 * i + 1] = -lambda_[3 * i + 2] * modes_.slip(i).y;
    add_rows<n>(problem_.D[3 * i], n, own + 3 * i, 2, moved);
    points_.to_world(moved, in_world);
    for (S& x : in_world) x = -x;
    add_rows<n>(columns_[0], n, in_world, n, sum);
    points_.to_world(own, in_world);
    for (int r = 0; r < n; ++r) sum[r] += in_world[r];
  }

  ContactEquations<N, S> problem_;
  ContactPoints<N, S> points_;
  S rate_, lambda_[n], u_[n], columns_[n][n];
  ContactModes<N, S> modes_;
};

template <int N, class Code, class S>
FEATHERLINE_NOINLINE void put_contact_response(const S* D, const S* speeds, const S* contact,
                                               const S* impulse, const S* status, S* response) {
  code_begins<Code, S>();
  constexpr int n = 3 * N;
  if (status[2] == S(0.0)) {
    const ContactResponse<N, S> change(D, speeds, contact, impulse, status);
    change.put_response(response);
    change.put_pushes(response + n * n);
    change.put_ground(contact, response + 2 * n * n);
  } else {
    for (int k = 0; k < 2 * n * n + 5 * N; ++k) response[k] = std::numeric_limits<S>::quiet_NaN();
  }
  code_ends<Code, S>();
}

}  // namespace detail

namespace contact_derivatives {

/// From what contact_step::impulses read and wrote. `response` has G, 3 N x 3 N, by rows: impulses change by -G U; then
/// the derivatives of impulses by all gaps, frictions and restitutions, 3 N x 3 N, by rows; then five numbers a point,
/// the normal and how the wanted speed follows the velocity after and before the step. Not numbers where the verdict is
/// not 0. Batches have their states solved one by one.
template <int N, class Code, class S>
void response(const S* D, const S* speeds, const S* contact, const S* impulse, const S* status, S* response) {
  if constexpr (detail::HoldsStates<S>::value) {
    using T = std::decay_t<decltype(D->x[0])>;
    constexpr int size = 18 * N * N + 5 * N;
    T of_state[9 * N * N], at[6 * N + 1], points[6 * N], pushes[3 * N], results[N + 4], change[size];
    for (int k = 0; k < S::size; ++k) {
      detail::put_state<9 * N * N>(D, k, of_state);
      detail::put_state<6 * N + 1>(speeds, k, at);
      detail::put_state<6 * N>(contact, k, points);
      detail::put_state<3 * N>(impulse, k, pushes);
      detail::put_state<N + 4>(status, k, results);
      detail::put_contact_response<N, void>(of_state, at, points, pushes, results, change);
      for (int i = 0; i < size; ++i) response[i].x[k] = change[i];
    }
  } else {
    detail::put_contact_response<N, Code>(D, speeds, contact, impulse, status, response);
  }
}

}  // namespace contact_derivatives
}  // namespace featherline
