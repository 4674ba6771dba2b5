// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_problem.hpp>

namespace featherline {

enum class ContactMode { open = 0, sticking = 1, sliding = 2 };

namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// A mode a point, and the direction of sliding. Of a joint whether its speed is held, and at what.
template <int N, class S, int K = 0>
struct ContactModes {
  ContactMode mode[N];
  Pair<S> slip[N];
  typename JointBounds<S>::Met joint[K > 0 ? K : 1];

  void read(const ContactEquations<N, S, K>& problem, const S* lambda, const S* u) {
    for (int i = 0; i < N; ++i) {
      const auto y = problem.stepped(i, lambda, u);
      const S size = norm(y.friction);
      mode[i] = !(y.pressure > S(0.0))               ? ContactMode::open
                : size <= problem.mu[i] * y.pressure ? ContactMode::sticking
                                                     : ContactMode::sliding;
      slip[i] = size > S(0.0) ? Pair<S>{-y.friction.x / size, -y.friction.y / size} : Pair<S>{S(1.0), S(0.0)};
    }
    for (int j = 0; j < K; ++j) joint[j] = problem.met(3 * N + j, lambda, u);
  }
  bool are(const ContactModes& other) const {
    bool same = true;
    for (int i = 0; i < N; ++i) same = same && mode[i] == other.mode[i];
    for (int j = 0; j < K; ++j) same = same && joint[j].held == other.joint[j].held;
    return same;
  }

  /// The nearest impulses that these modes allow.
  void put(const ContactEquations<N, S, K>& problem, S* lambda) const {
    for (int j = 0; j < K; ++j) {
      if (!joint[j].held) lambda[3 * N + j] = joint[j].impulse;
    }
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      if (mode[i] == ContactMode::open) x[0] = x[1] = x[2] = S(0.0);
      if (mode[i] == ContactMode::sliding) slide(problem.mu[i], {-slip[i].x, -slip[i].y}, x);
    }
  }
  /// Sliders onto the cone, along the friction that they have.
  void put_on_cones(const ContactEquations<N, S, K>& problem, S* lambda) const {
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
///
/// A joint whose speed is held has one unknown. In its row u is the speed less the one that is held.
template <int N, class S, int K = 0>
class ModeEquations {
 public:
  static constexpr int most = 3 * N + K;

  ModeEquations(const ContactEquations<N, S, K>& problem, const ContactModes<N, S, K>& modes, const S* lambda,
                const S* u)
      : size(0) {
    for (int i = 0; i < N; ++i) {
      if (modes.mode[i] == ContactMode::sticking) add_sticking(i);
      if (modes.mode[i] == ContactMode::sliding)
        add_sliding(problem, i, modes.slip[i], lambda + 3 * i, u + 3 * i);
    }
    first_joint_ = size;
    for (int j = 0; j < K; ++j) {
      if (modes.joint[j].held) add_unit(3 * N + j, 0, modes.joint[j].speed);
    }
    for (int r = 0; r < size; ++r) fill_row(problem, r);
  }

  /// Redundant points: what is added to the diagonal leaves no error, because steps are repeated.
  void make_regular(const ContactEquations<N, S, K>& problem) {
    for (int r = 0; r < size; ++r) matrix[r][r] += problem.proximity();
  }
  /// B^T u, negative.
  void right_side(const S* u, S* x) const {
    for (int r = 0; r < size; ++r) {
      const Unknown& test = unknown_[r];
      const S* at = u + at_[r];
      x[r] = test.row >= 0 ? test.speed - at[test.row]
                           : -(test.test[0] * at[0] + test.test[1] * at[1] + test.test[2] * at[2]);
    }
  }
  /// B^T A by rows, where A has the axes of each point.
  template <class Axes>
  void right_sides(const Axes* axes, S (*X)[most]) const {
    static_assert(K == 0, "joints have no axes");
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < most; ++c) X[r][c] = S(0.0);
      const int point = at_[r] / 3;
      S* own = X[r] + 3 * point;
      for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) own[j] += unknown_[r].test[k] * axes[point].axis[k][j];
      }
    }
  }
  /// lambda += E x.
  void add_impulses(const S* x, S* lambda) const {
    for (int r = 0; r < size; ++r) {
      const Unknown& push = unknown_[r];
      S* at = lambda + at_[r];
      if (push.row >= 0) at[push.row] += x[r];
      for (int k = 0; k < 3 && push.row < 0; ++k) at[k] += push.impulse[k] * x[r];
    }
  }

  S matrix[most][most];
  int size;

 private:
  struct Unknown {
    S test[3], impulse[3], turning;
    int row;  ///< of a sticking point, or a joint: the one of its rows that test and impulse have; else -1
    S speed;  ///< that a joint is held at
  };

  void add(int first_row, const Unknown& added) {
    at_[size] = first_row;
    unknown_[size++] = added;
  }
  void add_unit(int first_row, int k, const S& speed) {
    Unknown unit{};
    unit.test[k] = unit.impulse[k] = S(1.0);
    unit.row = k;
    unit.speed = speed;
    add(first_row, unit);
  }
  void add_sticking(int i) {
    touching_[num_touching_++] = {3 * i, size, true, {}, S(0.0)};
    for (int k = 0; k < 3; ++k) add_unit(3 * i, k, S(0.0));
  }
  void add_sliding(const ContactEquations<N, S, K>& problem, int i, const Pair<S>& w, const S* lambda,
                   const S* u) {
    const S mu = problem.mu[i], least = S(1e-12) * problem.free, landing = -u[2];
    touching_[num_touching_++] = {3 * i, size, false, w, mu};
    add(3 * i, {{S(0.0), S(0.0), S(1.0)}, {-mu * w.x, -mu * w.y, S(1.0)}, S(0.0), -1, S(0.0)});
    if (mu <= S(0.0)) return;
    // A slider without pressure has what it is about to get.
    const S pressing = lambda[2] > S(0.0) ? lambda[2] : problem.larger(landing, least) / problem.normal[i];
    const S turning = (w.x * u[0] + w.y * u[1]) / (mu * pressing);
    add(3 * i, {{-w.y, w.x, S(0.0)}, {-w.y, w.x, S(0.0)}, turning, -1, S(0.0)});
  }
  void fill_row(const ContactEquations<N, S, K>& problem, int r) {
    const S* rows = problem.D[at_[r]];
    const Unknown& test = unknown_[r];
    S sum[most] = {};
    if (test.row < 0) add_rows<most>(rows, most, test.test, 3, sum);
    const S* tested = test.row < 0 ? sum : rows + most * test.row;  // row r of B^T D
    for (int k = 0; k < num_touching_; ++k) {
      const Touching& point = touching_[k];
      const S* from = tested + point.row;
      S* to = matrix[r] + point.column;
      if (point.sticks) {
        for (int j = 0; j < 3; ++j) to[j] = from[j];
        continue;
      }
      to[0] = from[2] - point.mu * (point.slip.x * from[0] + point.slip.y * from[1]);
      if (point.mu > S(0.0)) to[1] = point.slip.x * from[1] - point.slip.y * from[0];
    }
    for (int c = first_joint_; c < size; ++c) matrix[r][c] = tested[at_[c]];
    for (int c = size; c < most; ++c) matrix[r][c] = S(0.0);
    matrix[r][r] += test.turning;
  }

  /// A point with its unknowns: its first row of D, its first column here.
  struct Touching {
    int row, column;
    bool sticks;
    Pair<S> slip;
    S mu;
  };
  Touching touching_[N];
  int num_touching_ = 0, first_joint_;
  Unknown unknown_[most];
  int at_[most];  ///< the first row of the point or joint
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail
}  // namespace featherline
