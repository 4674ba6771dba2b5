// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

#include <type_traits>
#include <utility>

/// Vectors and matrices of three dimensions over any scalar. The generator runs the algebra on symbols, which gives
/// straight-line code. The loops of the runtime run it on numbers and on SIMD packs.
namespace featherline::algebra {
inline namespace FEATHERLINE_REGISTERS {

/// The type of a result of an A and a B. If one is a scalar and the other a SIMD pack, it is the pack. It is not
/// decltype(a + b): for scalars with expression templates, such as Eigen's AutoDiffScalar, this is not a value type.
template <class A, class B>
using Wider = std::conditional_t<(sizeof(A) < sizeof(B)), B, A>;

/// Whether x is known while code is generated, and whether it is known to be zero. The symbolic scalar overloads
/// both.
template <class T>
constexpr bool is_number(const T&) {
  return false;
}
template <class T>
constexpr bool is_zero(const T&) {
  return false;
}

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  T& operator[](int k) { return k == 0 ? x : k == 1 ? y : z; }
  const T& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};

template <class A, class B>
inline auto operator+(const Vector3<A>& a, const Vector3<B>& b) {
  return Vector3<Wider<A, B>>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
inline auto operator-(const Vector3<A>& a, const Vector3<B>& b) {
  return Vector3<Wider<A, B>>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
inline auto operator*(const Vector3<A>& a, const B& factor) {
  return Vector3<Wider<A, B>>{a.x * factor, a.y * factor, a.z * factor};
}
template <class A, class B>
inline auto cross(const Vector3<A>& a, const Vector3<B>& b) {
  return Vector3<Wider<A, B>>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// x x' + (y y' + z z'). Joints turn about z, so the last two terms are often shared with another sum, or one of them
/// is zero.
template <class A, class B>
inline Wider<A, B> dot(const Vector3<A>& a, const Vector3<B>& b) {
  return a.x * b.x + (a.y * b.y + a.z * b.z);
}
template <class T>
bool is_number(const Vector3<T>& v) {
  return is_number(v.x) && is_number(v.y) && is_number(v.z);
}

template <class T>
struct Symmetric3;

/// 3 x 3, by rows.
template <class T>
struct Matrix3 {
  Vector3<T> rows[3];

  T& operator()(int r, int c) { return rows[r][c]; }
  const T& operator()(int r, int c) const { return rows[r][c]; }
  Vector3<T> column(int c) const { return {rows[0][c], rows[1][c], rows[2][c]}; }
  Matrix3 transposed() const { return {{column(0), column(1), column(2)}}; }
};
template <class A, class B>
inline auto operator*(const Matrix3<A>& M, const Vector3<B>& v) {
  return Vector3<Wider<A, B>>{dot(M.rows[0], v), dot(M.rows[1], v), dot(M.rows[2], v)};
}
template <class T>
inline Matrix3<T> operator*(const Matrix3<T>& A, const Matrix3<T>& B) {
  Matrix3<T> C;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) C(r, c) = dot(A.rows[r], B.column(c));
  }
  return C;
}
template <class T>
inline Matrix3<T> operator+(const Matrix3<T>& A, const Matrix3<T>& B) {
  return {{A.rows[0] + B.rows[0], A.rows[1] + B.rows[1], A.rows[2] + B.rows[2]}};
}
/// [v]x, with [v]x u = v x u.
template <class T>
inline Matrix3<T> cross_matrix(const Vector3<T>& v) {
  const T zero(0.0);
  return {{{zero, -v.z, v.y}, {v.z, zero, -v.x}, {-v.y, v.x, zero}}};
}

/// 3 x 3 and symmetric: six numbers.
template <class T>
struct Symmetric3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  const T& operator()(int r, int c) const {
    const int row = r < c ? r : c, column = r < c ? c : r;
    if (row == 0) return column == 0 ? xx : column == 1 ? xy : xz;
    return row == 2 ? zz : column == 1 ? yy : yz;
  }
  Matrix3<T> full() const { return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}}; }
};
template <class T>
inline Symmetric3<T> operator+(const Symmetric3<T>& A, const Symmetric3<T>& B) {
  return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz};
}
template <class A, class B>
inline auto operator*(const Symmetric3<A>& K, const Vector3<B>& v) {
  return Vector3<Wider<A, B>>{dot(Vector3<A>{K.xx, K.xy, K.xz}, v), dot(Vector3<A>{K.xy, K.yy, K.yz}, v),
                              dot(Vector3<A>{K.xz, K.yz, K.zz}, v)};
}
/// E A E^T, each entry once.
template <class T>
inline Symmetric3<T> congruence(const Matrix3<T>& E, const Symmetric3<T>& A) {
  const Matrix3<T> EA = E * A.full();
  const auto entry = [&](int r, int c) { return dot(EA.rows[r], E.rows[c]); };
  return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
}
///  -([g]x [p]x + [p]x [g]x) = 2 (g . p) 1 - g p^T - p g^T. With g = h + m p / 2, where m is the mass and h the first
///    moment, this is the change of the rotational inertia J when its reference point moves by -p.
template <class T>
inline Symmetric3<T> parallel_axis(const Vector3<T>& g, const Vector3<T>& p) {
  const bool fold = is_number(p);  // doubling a number costs nothing
  const Vector3<T> g2 = fold ? g : g * T(2.0), p2 = fold ? p * T(2.0) : p;
  const T xx = g2.x * p2.x, yy = g2.y * p2.y, zz = g2.z * p2.z;
  return {yy + zz, -(g.x * p.y + g.y * p.x), -(g.x * p.z + g.z * p.x),
          xx + zz, -(g.y * p.z + g.z * p.y), xx + yy};
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::algebra
