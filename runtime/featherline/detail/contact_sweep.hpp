// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_problem.hpp>

namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// One point with all other impulses held. With d = D_TN / D_NN and W = D_TT - D_TN d^T, a point that
/// touches has
///
///     lambda_T = -(W + sigma I)^-1 (r_T - d r_N),  lambda_N = -r_N / D_NN - d . lambda_T,  u_T = -sigma lambda_T,
///
/// where r is its velocity without its own impulse. It sticks with sigma = 0, or slides where |lambda_T| = mu lambda_N,
/// which sigma meets to a thousandth: see sliding().
template <class S>
class OnePoint {
 public:
  template <int N, int K>
  void prepare(const ContactEquations<N, S, K>& problem, int i) {
    const S* x = problem.D[3 * i] + 3 * i;
    const S* y = problem.D[3 * i + 1] + 3 * i;
    by_nn_ = problem.by_normal[i];
    mu_ = problem.mu[i];
    d_ = {x[2] * by_nn_, y[2] * by_nn_};
    least_ = S(contact_rounding<S>) * problem.normal[i];
    xx_ = x[0] - x[2] * d_.x + least_;
    xy_ = x[1] - x[2] * d_.y;
    yy_ = y[1] - y[2] * d_.y + least_;
    sigma_ = S(0.0);
  }

  /// r: velocity without this point's impulse.
  void solve(const S* r, S* lambda) {
    lambda[0] = lambda[1] = lambda[2] = S(0.0);
    if (r[2] >= S(0.0)) return;
    pressure_ = -r[2] * by_nn_;
    lambda[2] = pressure_;
    if (mu_ <= S(0.0)) return;
    r_ = {r[0] - d_.x * r[2], r[1] - d_.y * r[2]};
    Impulse found = at(S(0.0));
    if (!found.sticks(mu_)) {
      found = at(sliding());
      const S part = mu_ * found.N / norm(found.T);
      found.T = {part * found.T.x, part * found.T.y};
    }
    lambda[0] = found.T.x;
    lambda[1] = found.T.y;
    lambda[2] = found.N;
  }

 private:
  struct Impulse {
    Pair<S> T;
    S N;
    bool sticks(const S& mu) const { return N >= S(0.0) && T.x * T.x + T.y * T.y <= mu * N * (mu * N); }
  };

  /// -(W + sigma I)^-1 a.
  Pair<S> solved(const S& sigma, const Pair<S>& a) const {
    const S x = xx_ + sigma, y = yy_ + sigma, square = x * y - xy_ * xy_, least = least_ * least_;
    const S by = S(-1.0) / (square > least ? square : least);
    return {by * (y * a.x - xy_ * a.y), by * (x * a.y - xy_ * a.x)};
  }
  Impulse at(const S& sigma) const {
    const Pair<S> T = solved(sigma, r_);
    return {T, pressure_ - d_.x * T.x - d_.y * T.y};
  }

  /// Newton's method on mu lambda_N / |lambda_T| = 1, which is linear in sigma where W is isotropic; halving where it
  /// leaves what is known to hold the root. Sweeps only lead to where Newton's method on the modes begins, so a root is
  /// found to a thousandth, in 2 steps.
  S sliding() {
    using std::abs;
    constexpr int most_steps = 60;
    S low(0.0), high(-1.0), sigma = sigma_;
    if (!(sigma > S(0.0))) {
      sigma = norm(r_) / (mu_ * pressure_) - S(0.5) * (xx_ + yy_);
      if (!(sigma > S(0.0))) sigma = S(0.1) * (xx_ + yy_);
    }
    for (int step = 0; step < most_steps; ++step) {
      const Impulse x = at(sigma);
      const S size = norm(x.T), ratio = mu_ * x.N / size, f = ratio - S(1.0);
      if (abs(f) <= S(1e-3)) break;
      (f < S(0.0) ? low : high) = sigma;
      const Pair<S> rate = solved(sigma, x.T);
      const S slope = mu_ * (-(d_.x * rate.x + d_.y * rate.y)) / size -
                      ratio * (x.T.x * rate.x + x.T.y * rate.y) / (size * size);
      S next = sigma - f / slope;
      const bool is_inside = next > low && (high < S(0.0) || next < high);
      if (!is_inside) next = high < S(0.0) ? S(2.0) * sigma + xx_ + yy_ : S(0.5) * (low + high);
      if (next == sigma) break;
      sigma = next;
    }
    return sigma_ = sigma;
  }

  S by_nn_, mu_, least_, xx_, xy_, yy_;  ///< those of W
  Pair<S> d_, r_;
  S pressure_, sigma_;
};

/// Point after point and joint after joint, each with the others' last impulses (projected Gauss-Seidel).
template <int N, class S, int K>
void sweep(const ContactEquations<N, S, K>& problem, OnePoint<S>* points, S* lambda, S* u) {
  constexpr int rows = 3 * N + K;
  for (int i = 0; i < N; ++i) {
    S r[3], next[3], change[3];
    for (int k = 0; k < 3; ++k) {
      r[k] = u[3 * i + k];
      for (int j = 0; j < 3; ++j) r[k] -= problem.D[3 * i + k][3 * i + j] * lambda[3 * i + j];
    }
    points[i].solve(r, next);
    for (int k = 0; k < 3; ++k) {
      change[k] = next[k] - lambda[3 * i + k];
      lambda[3 * i + k] = next[k];
    }
    add_rows<rows>(problem.D[3 * i], rows, change, 3, u);
  }
  for (int r = 3 * N; r < rows; ++r) {
    const S next = problem.met(r, lambda, u).impulse, change = next - lambda[r];
    lambda[r] = next;
    add_rows<rows>(problem.D[r], 0, &change, 1, u);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
