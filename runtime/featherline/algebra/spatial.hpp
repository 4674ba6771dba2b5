// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/vector3.hpp>

/// Spatial vectors over any scalar: motions, forces, inertias, and the 12-number body Coriolis matrix. All quantities
/// of a formula are about the same point and in the same axes.
namespace featherline::algebra {
inline namespace FEATHERLINE_REGISTERS {

/// Angular velocity, and the linear velocity of the body-fixed point at the origin.
template <class T>
struct Motion {
  Vector3<T> w, u;
};
template <class A, class B>
inline auto operator+(const Motion<A>& x, const Motion<B>& y) {
  return Motion<Wider<A, B>>{x.w + y.w, x.u + y.u};
}
template <class T>
inline Motion<T> operator*(const Motion<T>& m, const T& factor) {
  return {m.w * factor, m.u * factor};
}
/// v x m.
template <class T>
inline Motion<T> cross(const Motion<T>& v, const Motion<T>& m) {
  return {cross(v.w, m.w), cross(v.w, m.u) + cross(v.u, m.w)};
}

/// Moment about the origin, force.
template <class T>
struct Force {
  Vector3<T> n, f;
};
template <class A, class B>
inline auto operator+(const Force<A>& x, const Force<B>& y) {
  return Force<Wider<A, B>>{x.n + y.n, x.f + y.f};
}
template <class T>
inline Force<T> operator*(const Force<T>& force, const T& factor) {
  return {force.n * factor, force.f * factor};
}
/// v x* f.
template <class A, class B>
inline auto cross_dual(const Motion<A>& v, const Force<B>& f) {
  return Force<Wider<A, B>>{cross(v.w, f.n) + cross(v.u, f.f), cross(v.w, f.f)};
}
/// The power f . m.
template <class A, class B>
inline Wider<A, B> dot(const Force<A>& f, const Motion<B>& m) {
  return dot(f.n, m.w) + dot(f.f, m.u);
}

/// Mass, first moment m c, rotational inertia about the origin.
template <class T>
struct Inertia {
  T m{};
  Vector3<T> h;
  Symmetric3<T> J;

  Force<T> operator*(const Motion<T>& v) const { return {J * v.w + cross(h, v.u), v.u * m + cross(v.w, h)}; }
};
template <class T>
inline Inertia<T> operator+(const Inertia<T>& a, const Inertia<T>& b) {
  return {a.m + b.m, a.h + b.h, a.J + b.J};
}

/// 2 B = [K - [n]x, 0; -2 [f]x, 0] of paper 000, eq. (28), in 12 numbers instead of 36. It acts only on the angular
/// half of a motion. K = [w]x J + ([w]x J)^T - ([u]x [h]x + [h]x [u]x) is symmetric. (n, f) = I v is the momentum.
template <class T>
struct Coriolis {
  Symmetric3<T> K;
  Vector3<T> n, f;  ///< momentum

  /// 2 B m.
  template <class M>
  auto times(const Motion<M>& m) const {
    using W = Wider<T, M>;
    const Vector3<W> force = cross(f, m.w);
    return Force<W>{K * m.w - cross(n, m.w), -(force + force)};
  }
  /// 2 B^T m: angular only.
  template <class M>
  auto transposed_times(const Motion<M>& m) const {
    using W = Wider<T, M>;
    const Vector3<W> moment = cross(f, m.u);
    return K * m.w + cross(n, m.w) + (moment + moment);
  }
  /// 2 B m - m x* (n, f): A1 of paper 002, where this is B(I, s).
  template <class M>
  auto without_momentum(const Motion<M>& m) const {
    return Force<Wider<T, M>>{K * m.w + cross(f, m.u), cross(m.w, f)};
  }
};
template <class T>
inline Coriolis<T> operator+(const Coriolis<T>& a, const Coriolis<T>& b) {
  return {a.K + b.K, a.n + b.n, a.f + b.f};
}

/// [w]x J + ([w]x J)^T, the rate of J of a turning body. Differences and doubles of entries of J come first, because
/// they fold to constants if J is a number.
template <class T>
inline Symmetric3<T> turning_rate(const Vector3<T>& w, const Symmetric3<T>& J) {
  const T xy2 = J.xy * T(2.0), xz2 = J.xz * T(2.0), yz2 = J.yz * T(2.0);
  return {w.y * xz2 - w.z * xy2,
          w.z * (J.xx - J.yy) + w.y * J.yz - w.x * J.xz,
          w.y * (J.zz - J.xx) + w.x * J.xy - w.z * J.yz,
          w.z * xy2 - w.x * yz2,
          w.x * (J.yy - J.zz) + w.z * J.xz - w.y * J.xy,
          w.x * yz2 - w.y * xz2};
}

/// 2 B(I, v). `momentum` is I v.
template <class T>
inline Coriolis<T> coriolis(const Inertia<T>& I, const Motion<T>& v, const Force<T>& momentum) {
  return {turning_rate(v.w, I.J) + parallel_axis(I.h, v.u), momentum.n, momentum.f};
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::algebra
