// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_joints.hpp>
#include <featherline/detail/elimination.hpp>

#include <cmath>

/// The problem that contact_solver.hpp solves, and how far from its solution a set of impulses is.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// What rounding leaves, and what is added to the diagonal of systems that may be singular, as parts of their entries.
template <class S>
inline constexpr double contact_rounding = 1e-15;
template <>
inline constexpr double contact_rounding<float> = 3e-7;
template <class S>
inline constexpr double contact_proximity = 1e-9;
template <>
inline constexpr double contact_proximity<float> = 1e-5;

/// A residual that rounding alone may leave: no method goes on below it.
template <class S>
inline constexpr double contact_aim = 1e-13;
template <>
inline constexpr double contact_aim<float> = 3e-6;

template <class S>
struct Pair {
  S x, y;
};
template <class S>
inline S norm(const Pair<S>& a) {
  using std::sqrt;
  return sqrt(a.x * a.x + a.y * a.y);
}

/// Velocities after the step are u = D lambda + b. Rows of a point: two tangents, normal. A solution has at each point
///
///     0 <= lambda_N,  0 <= u_N,  lambda_N u_N = 0,  |lambda_T| <= mu lambda_N,  lambda_T |u_T| = -mu lambda_N u_T.
///
/// Behind the points may be K joints with limits and friction, a row each.
template <int N, class S, int K = 0>
struct ContactEquations {
  static constexpr int of_points = 3 * N, rows = of_points + K;
  ContactEquations() = default;
  ContactEquations(const ContactEquations&) = delete;  // D may point to itself
  ContactEquations& operator=(const ContactEquations&) = delete;

  S matrix[rows][rows];         ///< room for D
  const S (*D)[rows] = matrix;  ///< may be the caller's where K is zero
  S b[rows], mu[N];
  JointBounds<S> joint[K > 0 ? K : 1];

  // Set by prepare():
  S normal[N], tangent[N];        ///< velocities that an impulse of one along a row gives that row; not zero
  S by_normal[N], by_tangent[N];  ///< one over these
  S free;  ///< the largest velocity without impulses along or into the ground; not zero

  void prepare() {
    using std::abs;
    using std::isnan;
    free = S(1e-30);
    for (int i = 0; i < N; ++i) {
      const S x = D[3 * i][3 * i], y = D[3 * i + 1][3 * i + 1], z = D[3 * i + 2][3 * i + 2];
      tangent[i] = larger(x, larger(y, least()));
      normal[i] = larger(z, least());
      by_normal[i] = S(1.0) / normal[i];
      by_tangent[i] = S(1.0) / tangent[i];
      if (isnan(mu[i])) free = mu[i];  // so that no residual is a number
      // A point that is far from the ground leaves it at gap / dt, which nothing else is to be measured by.
      free = larger(larger(abs(b[3 * i]), abs(b[3 * i + 1])), larger(-b[3 * i + 2], free));
    }
    for (int r = of_points; r < rows; ++r) {
      free = larger(joint[r - of_points].low, larger(-joint[r - of_points].high, larger(abs(b[r]), free)));
      matrix[r][r] = larger(D[r][r], least());
    }
  }
  /// The impulse and speed of joint row r that one step of projection makes of (lambda, u).
  typename JointBounds<S>::Met met(int r, const S* lambda, const S* u) const {
    return joint[r - of_points].at(D[r][r], lambda[r] - u[r] / D[r][r]);
  }
  /// What makes systems of redundant points regular.
  S proximity() const {
    S most(0.0);
    for (int i = 0; i < N; ++i) most = larger(normal[i], most);
    return S(contact_proximity<S>) * most;
  }
  static S larger(const S& x, const S& other) { return x > other ? x : other; }

  void velocities(const S* lambda, S* u) const {
    for (int i = 0; i < rows; ++i) u[i] = b[i];
    add_rows<rows>(D[0], rows, lambda, rows, u);
  }

 private:
  /// Below it a point does not move. OnePoint squares a part of it, which must not underflow.
  static S least() { return S(sizeof(S) < sizeof(double) ? 1e-12 : 1e-30); }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
