// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_problem.hpp>

namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// The alternating direction method of multipliers on  min 1/2 z^T D z + (b + s)^T z,  z in the cones, where De Saxce's
/// s = (0, 0, mu |u_T|) keeps sliders on the ground. It is slow, and finds the modes where contacts are redundant.
template <int N, class S, int K = 0>
class Splitting {
 public:
  static constexpr int of_points = 3 * N, rows = of_points + K;

  /// `system`: room to work in.
  Splitting(const ContactEquations<N, S, K>& problem, const S* lambda, const S* u,
            Elimination<rows, S>& system)
      : problem_(problem), system_(system) {
    S sum(0.0);
    for (int i = 0; i < rows; ++i) sum += problem.D[i][i];
    rho_ = S(0.05) * sum / S(rows) + S(1e-30);
    for (int i = 0; i < rows; ++i) z_[i] = lambda[i];
    for (int i = 0; i < N; ++i) {
      w_[3 * i] = -u[3 * i] / rho_;
      w_[3 * i + 1] = -u[3 * i + 1] / rho_;
      w_[3 * i + 2] = -(u[3 * i + 2] + problem.mu[i] * norm(Pair<S>{u[3 * i], u[3 * i + 1]})) / rho_;
    }
    for (int r = of_points; r < rows; ++r) w_[r] = -u[r] / rho_;
  }

  void steps(int count) {
    invert();
    S moved(0.0), apart(0.0);
    for (int step = 0; step < count; ++step) {
      S x[rows] = {}, right[rows];
      for (int i = 0; i < rows; ++i) right[i] = rho_ * (z_[i] - w_[i]) - problem_.b[i];
      for (int i = 0; i < N; ++i)
        right[3 * i + 2] -= problem_.mu[i] * rho_ * norm(Pair<S>{w_[3 * i], w_[3 * i + 1]});
      add_rows<rows>(inverse_[0], rows, right, rows, x);
      moved = apart = S(0.0);
      for (int i = 0; i < N; ++i) {
        S y[3];
        for (int k = 0; k < 3; ++k) y[k] = x[3 * i + k] + w_[3 * i + k];
        put_into_cone(problem_.mu[i], y);
        for (int k = 0; k < 3; ++k) go_to(y[k], x[3 * i + k], 3 * i + k, moved, apart);
      }
      for (int r = of_points; r < rows; ++r) {
        const S y = problem_.joint[r - of_points].at(rho_, x[r] + w_[r]).impulse;
        go_to(y, x[r], r, moved, apart);
      }
    }
    balance(moved, apart);
  }

  const S* impulses() const { return z_; }
  /// What the multipliers say of the velocities.
  void velocities(S* u) const {
    for (int i = 0; i < N; ++i) {
      u[3 * i] = -rho_ * w_[3 * i];
      u[3 * i + 1] = -rho_ * w_[3 * i + 1];
      u[3 * i + 2] = -rho_ * w_[3 * i + 2] - problem_.mu[i] * norm(Pair<S>{u[3 * i], u[3 * i + 1]});
    }
    for (int r = of_points; r < rows; ++r) u[r] = -rho_ * w_[r];
  }

 private:
  /// y: z of row r after the step, x what it should equal.
  void go_to(const S& y, const S& x, int r, S& moved, S& apart) {
    moved = larger(moved, y - z_[r]);
    apart = larger(apart, x - y);
    z_[r] = y;
    w_[r] += x - y;
  }

  static S larger(const S& worst, const S& x) {
    using std::abs;
    return abs(x) > worst ? abs(x) : worst;
  }

  /// The nearest point of |y_T| <= mu y_N.
  static void put_into_cone(const S& mu, S* y) {
    const S size = norm(Pair<S>{y[0], y[1]});
    if (size <= mu * y[2]) return;
    if (y[2] + mu * size <= S(0.0)) {
      y[0] = y[1] = y[2] = S(0.0);
      return;
    }
    y[2] = (y[2] + mu * size) / (S(1.0) + mu * mu);
    const S part = size > S(0.0) ? mu * y[2] / size : S(0.0);
    y[0] *= part;
    y[1] *= part;
  }

  /// Both parts of the residual shrink alike where rho is right. Of 1,000 stacks with masses of 1 to 10,000, 998 are then
  /// solved in 36 rounds, 960 if rho changes only where they differ by ten.
  void balance(const S& moved, const S& apart) {
    using std::sqrt;
    S factor = sqrt(apart / (moved + S(1e-30)));
    factor = factor > S(3.0) ? S(3.0) : factor < S(1.0 / 3.0) ? S(1.0 / 3.0) : factor;
    rho_ *= factor;
    for (S& w : w_) w /= factor;
  }

  /// The inverse of D + rho I: a product is much shorter than two triangles, one number after another.
  void invert() {
    system_.size = rows;
    for (int r = 0; r < rows; ++r) {
      S* row = system_.row(r);
      for (int c = 0; c < rows; ++c) {
        row[c] = problem_.D[r][c];
        inverse_[r][c] = S(0.0);
      }
      row[r] += rho_;
      inverse_[r][r] = S(1.0);
    }
    system_.factorise(S(0.0));
    system_.template solve<rows>(inverse_);
  }

  const ContactEquations<N, S, K>& problem_;
  Elimination<rows, S>& system_;
  S rho_, z_[rows], w_[rows], inverse_[rows][rows];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
