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
      const S nn = problem.normal(i), tt = problem.tangent(i);
      const S y_N = lambda[3 * i + 2] - u[3 * i + 2] / nn;
      const Pair<S> y_T{lambda[3 * i] - u[3 * i] / tt, lambda[3 * i + 1] - u[3 * i + 1] / tt};
      const S size = norm(y_T);
      mode[i] = !(y_N > S(0.0))               ? ContactMode::open
                : size <= problem.mu[i] * y_N ? ContactMode::sticking
                                              : ContactMode::sliding;
      slip[i] = size > S(0.0) ? Pair<S>{-y_T.x / size, -y_T.y / size} : Pair<S>{S(1.0), S(0.0)};
    }
  }

  /// The nearest impulses that these modes allow.
  void put(const ContactEquations<N, S>& problem, S* lambda) const {
    for (int i = 0; i < N; ++i) {
      S* x = lambda + 3 * i;
      if (mode[i] == ContactMode::open) x[0] = x[1] = x[2] = S(0.0);
      if (mode[i] != ContactMode::sliding) continue;
      x[2] = x[2] > S(0.0) ? x[2] : S(0.0);
      x[0] = -problem.mu[i] * x[2] * slip[i].x;
      x[1] = -problem.mu[i] * x[2] * slip[i].y;
    }
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
      if (modes.mode[i] == ContactMode::open) continue;
      const bool slides = modes.mode[i] == ContactMode::sliding;
      const Pair<S> w = modes.slip[i];
      const S mu = problem.mu[i];
      if (slides) {
        add(i, {{S(0.0), S(0.0), S(1.0)}, {-mu * w.x, -mu * w.y, S(1.0)}, S(0.0)});
        if (mu <= S(0.0)) continue;
        const S scale = problem.normal(i), pressing = lambda[3 * i + 2],
                least = S(1e-12) * least_velocity(problem);
        S nearly = -u[3 * i + 2] / scale;  // a slider without pressure: what it is about to get
        nearly = nearly > least / scale ? nearly : least / scale;
        const S c = (w.x * u[3 * i] + w.y * u[3 * i + 1]) / (mu * (pressing > S(0.0) ? pressing : nearly));
        add(i, {{-w.y, w.x, S(0.0)}, {-w.y, w.x, S(0.0)}, c});
      } else {
        for (int k = 0; k < 3; ++k) {
          Unknown unit{};
          unit.test[k] = unit.impulse[k] = S(1.0);
          add(i, unit);
        }
      }
    }
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c) matrix[r][c] = entry(problem, r, c);
      matrix[r][r] += unknown_[r].turning;
    }
  }

  /// B^T y, negative.
  void right_side(const S* y, S* x) const {
    for (int r = 0; r < size; ++r) {
      x[r] = S(0.0);
      for (int k = 0; k < 3; ++k) x[r] -= unknown_[r].test[k] * y[3 * at_[r] + k];
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
  };

  void add(int point, const Unknown& added) {
    at_[size] = point;
    unknown_[size++] = added;
  }
  static S least_velocity(const ContactEquations<N, S>& problem) {
    using std::abs;
    S most_free(S(1e-30));
    for (int i = 0; i < 3 * N; ++i) most_free = abs(problem.b[i]) > most_free ? abs(problem.b[i]) : most_free;
    return most_free;
  }
  S entry(const ContactEquations<N, S>& problem, int r, int c) const {
    S sum(0.0);
    for (int k = 0; k < 3; ++k) {
      if (unknown_[r].test[k] == S(0.0)) continue;
      const S* row = problem.D[3 * at_[r] + k] + 3 * at_[c];
      S part(0.0);
      for (int j = 0; j < 3; ++j) part += row[j] * unknown_[c].impulse[j];
      sum += unknown_[r].test[k] * part;
    }
    return sum;
  }

  Unknown unknown_[most];
  int at_[most];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail
}  // namespace featherline
