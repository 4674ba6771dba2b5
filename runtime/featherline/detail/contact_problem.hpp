// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/contact_joints.hpp>
#include <featherline/detail/row_vectors.hpp>

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

/// sum x[k] row_k over `count` rows that are `stride` apart, added to y.
template <int n, class S>
FEATHERLINE_INLINE void add_rows(const S* rows, int stride, const S* x, int count, S* y) {
  RowSums<n, S, 1> sum;
  sum.clear();
  for (int k = 0; k < count; ++k) sum.subtract_row(rows + stride * k, -x[k]);
  sum.template add<0>(y);
  sum.template store<0>(y);
}

template <int n, class S>
FEATHERLINE_INLINE void copy_row(const S* from, S* to) {
  RowSums<n, S, 1> row;
  row.clear();
  row.template add<0>(from);
  row.template store<0>(to);
}

template <int n, class S>
void exchange(S* x, S* y) {
  for (int k = 0; k < n; ++k) {
    const S kept = x[k];
    x[k] = y[k];
    y[k] = kept;
  }
}

/// Velocities after the step are u = D lambda + b. Rows of a point: two tangents, normal. A solution has at each point
///
///     0 <= lambda_N,  0 <= u_N,  lambda_N u_N = 0,  |lambda_T| <= mu lambda_N,  lambda_T |u_T| = -mu lambda_N u_T.
///
/// Behind the points may be K joints with limits and friction, a row each.
template <int N, class S, int K = 0>
struct ContactEquations {
  static constexpr int of_points = 3 * N, rows = of_points + K;
  S D[rows][rows], b[rows], mu[N];
  JointBounds<S> joint[K > 0 ? K : 1];

  // Set by prepare():
  S normal[N], tangent[N];        ///< velocities that an impulse of one along a row gives that row; not zero
  S by_normal[N], by_tangent[N];  ///< one over these
  S free;  ///< the largest velocity without impulses along or into the ground; not zero

  void prepare() {
    using std::abs;
    free = least();
    for (int i = 0; i < N; ++i) {
      const S x = D[3 * i][3 * i], y = D[3 * i + 1][3 * i + 1], z = D[3 * i + 2][3 * i + 2];
      tangent[i] = larger(x, larger(y, least()));
      normal[i] = larger(z, least());
      by_normal[i] = S(1.0) / normal[i];
      by_tangent[i] = S(1.0) / tangent[i];
      // A point that is far from the ground leaves it at gap / dt, which nothing else is to be measured by.
      free = larger(larger(abs(b[3 * i]), abs(b[3 * i + 1])), larger(-b[3 * i + 2], free));
    }
    for (int r = of_points; r < rows; ++r) {
      free = larger(joint[r - of_points].low, larger(-joint[r - of_points].high, larger(abs(b[r]), free)));
      D[r][r] = larger(D[r][r], least());
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

  /// The impulse that one step of projection makes of (lambda, u), before it is put into the cone.
  struct Stepped {
    S pressure;
    Pair<S> friction;
  };
  Stepped stepped(int i, const S* lambda, const S* u) const {
    const S *x = lambda + 3 * i, *at = u + 3 * i;
    return {x[2] - at[2] * by_normal[i], {x[0] - at[0] * by_tangent[i], x[1] - at[1] * by_tangent[i]}};
  }

 private:
  static S least() { return S(1e-30); }
};

/// Linear equations by elimination. The diagonal is large in what these solve, so another pivot is looked for only where it
/// has shrunk. Factors are kept: what is solved again with other right sides costs little.
template <int most, class S>
class Elimination {
 public:
  static constexpr int width = PackOf<S>::width, stride = padded<S>(most);
  int size = 0;  ///< rows that are used
  S matrix[most][stride];

  /// Room for row r, whose last vector is filled with zeros.
  S* row(int r) {
    store_pack<S>(Pack<S>{}, matrix[r] + (size - 1) / width * width);
    return matrix[r];
  }
  /// Stops, and returns false, where a pivot is not above `least` times its entry of the diagonal. With a `least` of zero
  /// pivots of zero give zeros.
  bool factorise(const S& least) {
    using std::abs;
    for (int k = 0; k < size; ++k) {
      inverse_[k] = abs(matrix[k][k]);
      if (k > 0) store_pack<S>(Pack<S>{}, above_[k] + (k - 1) / width * width);
    }
    for (int k = 0; k < size; ++k) {
      const S diagonal = inverse_[k];
      pivot_[k] = k;
      if (!(abs(matrix[k][k]) > S(0.01) * diagonal)) exchange_pivot(k);
      const S pivot = matrix[k][k];
      if (least > S(0.0) && !(abs(pivot) > least * diagonal)) return false;
      inverse_[k] = pivot == S(0.0) ? S(0.0) : S(1.0) / pivot;
      if (k + 1 < size) subtract_from_rows(k);
    }
    return true;
  }
  /// X becomes the solution.
  template <int columns>
  void solve(S (*X)[columns]) const {
    for (int k = 0; k < size; ++k) {
      if (pivot_[k] != k) exchange<columns>(X[k], X[pivot_[k]]);
      for (int i = k + 1; i < size; ++i) subtract_row<columns>(X[k], below_[k][i], X[i]);
    }
    for (int k = size - 1; k >= 0; --k) {
      for (int c = 0; c < columns; ++c) X[k][c] *= inverse_[k];
      for (int i = 0; i < k; ++i) subtract_row<columns>(X[k], above_[k][i], X[i]);
    }
  }
  /// The same with one right side. Its last vector is read whole.
  void solve(S (&x)[stride]) const {
    for (int c = size; c < stride; ++c) x[c] = S(0.0);
    for (int k = 0; k + 1 < size; ++k) {
      if (pivot_[k] != k) exchange<1>(x + k, x + pivot_[k]);
      subtract(below_[k], x[k], (k + 1) / width * width, size, x);
    }
    for (int k = size - 1; k >= 0; --k) {
      x[k] *= inverse_[k];
      subtract(above_[k], x[k], 0, k, x);
    }
  }

 private:
  template <int columns>
  static void subtract_row(const S* row, const S& factor, S* from) {
    const S sign = -factor;
    add_rows<columns>(row, 0, &sign, 1, from);
  }
  FEATHERLINE_INLINE static void subtract(const S* factors, S factor, int c, int end, S* x) {
    for (; c < end; c += width) store_pack<S>(load_pack(x + c) - load_pack(factors + c) * factor, x + c);
  }
  void exchange_pivot(int k) {
    using std::abs;
    int& pivot = pivot_[k];
    for (int i = k + 1; i < size; ++i) pivot = abs(matrix[i][k]) > abs(matrix[pivot][k]) ? i : pivot;
    if (pivot != k) exchange<stride>(matrix[k], matrix[pivot]);
  }
  /// Behind the pivot of row k: what is left of it is not read again. Keeps what solve() needs of column k and of row k, in
  /// vectors with zeros up to the diagonal, and behind the end.
  void subtract_from_rows(int k) {
    int c = (k + 1) / width * width;
    store_pack<S>(Pack<S>{}, below_[k] + c);
    store_pack<S>(Pack<S>{}, below_[k] + (size - 1) / width * width);
    if constexpr (stride > 4 * width) {
      if (c + 4 * width < size) {
        subtract_vectors<true>(k, c, UpTo<4>{});
        for (c += 4 * width; c + 4 * width < size; c += 4 * width) subtract_vectors<false>(k, c, UpTo<4>{});
        return subtract_last_vectors<false>(k, c);
      }
    }
    subtract_last_vectors<true>(k, c);
  }
  template <bool first>
  FEATHERLINE_INLINE void subtract_last_vectors(int k, int c) {
    if constexpr (stride > 3 * width) {
      if (c + 3 * width < size) return subtract_vectors<first>(k, c, UpTo<4>{});
    }
    if constexpr (stride > 2 * width) {
      if (c + 2 * width < size) return subtract_vectors<first>(k, c, UpTo<3>{});
    }
    if constexpr (stride > width) {
      if (c + width < size) return subtract_vectors<first>(k, c, UpTo<2>{});
    }
    subtract_vectors<first>(k, c, UpTo<1>{});
  }
  template <bool first, int... v>
  FEATHERLINE_INLINE void subtract_vectors(int k, int c, std::integer_sequence<int, v...>) {
    const Pack<S> row[] = {load_pack(matrix[k] + c + width * v)...};
    const S inverse = inverse_[k];
    for (int i = k + 1; i < size; ++i) {
      if constexpr (first) {
        below_[k][i] = matrix[i][k] * inverse;
        above_[i][k] = matrix[k][i];
      }
      const S factor = below_[k][i];
      S* from = matrix[i] + c;
      (store_pack<S>(load_pack(from + width * v) - row[v] * factor, from + width * v), ...);
    }
  }

  S inverse_[most], below_[most][stride], above_[most][stride];
  int pivot_[most];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
