// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_problem.hpp>

namespace featherline {

enum class ContactMode { open = 0, sticking = 1, sliding = 2 };

namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// A mode a point, and the direction of sliding.
template <int N, class S>
struct ContactModes {
  ContactMode mode[N];
  Pair<S> slip[N];

  void read(const ContactEquations<N, S>& problem, const S* lambda, const S* u) {
    for (int i = 0; i < N; ++i) {
      const auto y = problem.stepped(i, lambda, u);
      const S size = norm(y.friction);
      mode[i] = !(y.pressure > S(0.0))               ? ContactMode::open
                : size <= problem.mu[i] * y.pressure ? ContactMode::sticking
                                                     : ContactMode::sliding;
      slip[i] = size > S(0.0) ? Pair<S>{-y.friction.x / size, -y.friction.y / size} : Pair<S>{S(1.0), S(0.0)};
    }
  }
  bool are(const ContactModes& other) const {
    bool same = true;
    for (int i = 0; i < N; ++i) same = same && mode[i] == other.mode[i];
    return same;
  }

  /// The nearest impulses that these modes allow.
  void put(const ContactEquations<N, S>& problem, S* lambda) const {
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      if (mode[i] == ContactMode::open) x[0] = x[1] = x[2] = S(0.0);
      if (mode[i] == ContactMode::sliding) slide(problem.mu[i], {-slip[i].x, -slip[i].y}, x);
    }
  }
  /// Sliders onto the cone, along the friction that they have.
  void put_on_cones(const ContactEquations<N, S>& problem, S* lambda) const {
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      const S size = norm(Pair<S>{x[0], x[1]});
      if (mode[i] != ContactMode::sliding) continue;
      slide(problem.mu[i], size > S(0.0) ? Pair<S>{x[0] / size, x[1] / size} : Pair<S>{S(0.0), S(0.0)}, x);
    }
  }

 private:
  static void slide(const S& mu, const Pair<S>& direction, S* x) {
    x[2] = x[2] > S(0.0) ? x[2] : S(0.0);
    x[0] = mu * x[2] * direction.x;
    x[1] = mu * x[2] * direction.y;
  }
};

/// The linear equations of known modes. Sticking points have three unknowns, sliding ones two: how their impulse grows
/// along n - mu w, and how it turns along w' across the slip w. Tests B, impulses E:
///
///     (B^T D E + diag c) x = -B^T u,  c = w . u_T / (mu lambda_N) for turning, else 0.
template <int N, class S>
class ModeEquations {
 public:
  static constexpr int most = 3 * N;

  ModeEquations(const ContactEquations<N, S>& problem, const ContactModes<N, S>& modes, const S* lambda,
                const S* u)
      : size(0) {
    for (int i = 0; i < N; ++i) {
      if (modes.mode[i] == ContactMode::sticking) add_sticking(i);
      if (modes.mode[i] == ContactMode::sliding)
        add_sliding(problem, i, modes.slip[i], lambda + 3 * i, u + 3 * i);
    }
    for (int r = 0; r < size; ++r) fill_row(problem, r);
  }

  /// Redundant points: what is added to the diagonal leaves no error, because steps are repeated.
  void make_regular(const ContactEquations<N, S>& problem) {
    for (int r = 0; r < size; ++r) matrix[r][r] += problem.proximity();
  }
  /// B^T y, negative.
  void right_side(const S* y, S* x) const {
    for (int r = 0; r < size; ++r) {
      x[r] = S(0.0);
      for (int k = 0; k < 3; ++k) x[r] -= unknown_[r].test[k] * y[3 * at_[r] + k];
    }
  }
  /// B^T A by rows, where A has the axes of each point.
  template <class Axes>
  void right_sides(const Axes* axes, S (*X)[most]) const {
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < most; ++c) X[r][c] = S(0.0);
      const int point = at_[r];
      S* own = X[r] + 3 * point;
      for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) own[j] += unknown_[r].test[k] * axes[point].axis[k][j];
      }
    }
  }
  /// lambda += E x.
  void add_impulses(const S* x, S* lambda) const {
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < 3; ++k) lambda[3 * at_[r] + k] += unknown_[r].impulse[k] * x[r];
    }
  }

  S matrix[most][most];
  int size;

 private:
  struct Unknown {
    S test[3], impulse[3], turning;
    int row;  ///< of a sticking point: the one of its three that test and impulse have; else -1
  };

  void add(int point, const Unknown& added) {
    at_[size] = point;
    unknown_[size++] = added;
  }
  void add_sticking(int i) {
    for (int k = 0; k < 3; ++k) {
      Unknown unit{};
      unit.test[k] = unit.impulse[k] = S(1.0);
      unit.row = k;
      add(i, unit);
    }
  }
  void add_sliding(const ContactEquations<N, S>& problem, int i, const Pair<S>& w, const S* lambda,
                   const S* u) {
    const S mu = problem.mu[i], least = S(1e-12) * problem.free, landing = -u[2];
    add(i, {{S(0.0), S(0.0), S(1.0)}, {-mu * w.x, -mu * w.y, S(1.0)}, S(0.0), -1});
    if (mu <= S(0.0)) return;
    // A slider without pressure has what it is about to get.
    const S pressing = lambda[2] > S(0.0) ? lambda[2] : problem.larger(landing, least) / problem.normal[i];
    add(i, {{-w.y, w.x, S(0.0)}, {-w.y, w.x, S(0.0)}, (w.x * u[0] + w.y * u[1]) / (mu * pressing), -1});
  }
  void fill_row(const ContactEquations<N, S>& problem, int r) {
    const S* rows = problem.D[3 * at_[r]];
    const Unknown& test = unknown_[r];
    S sum[most] = {};
    if (test.row < 0) add_rows<most>(rows, most, test.test, 3, sum);
    const S* tested = test.row < 0 ? sum : rows + most * test.row;  // row r of B^T D
    for (int c = 0; c < size; ++c) {
      const Unknown& x = unknown_[c];
      const S* of_point = tested + 3 * at_[c];
      matrix[r][c] =
          x.row >= 0 ? of_point[x.row]
                     : of_point[0] * x.impulse[0] + of_point[1] * x.impulse[1] + of_point[2] * x.impulse[2];
    }
    for (int c = size; c < most; ++c) matrix[r][c] = S(0.0);
    matrix[r][r] += test.turning;
  }

  Unknown unknown_[most];
  int at_[most];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail
}  // namespace featherline
