// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/pack.hpp>

/// Spatial algebra of the loops: motions and forces of scalars or packs, and the operators A0 to A7 of paper 002.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Entries of `operators`: B(s) and A3 as K (xx, xy, xz, yy, yz, zz), n, f; then t2, t3 (moment, force) and t4.
enum OperatorEntry {
  entry_Bs = 0,
  entry_A3 = 12,
  entry_t2 = 24,
  entry_t3 = 30,
  entry_t4 = 36,
  num_operators = 39
};

template <class T>
struct Screw {
  Triple<T> a, b;  ///< angular and linear half of a motion, moment and force of a force
};
template <class A, class B>
inline auto operator+(const Screw<A>& x, const Screw<B>& y) {
  return Screw<Wider<A, B>>{x.a + y.a, x.b + y.b};
}
/// m x* f.
template <class A, class B>
inline auto cross_dual(const Screw<A>& m, const Screw<B>& f) {
  return Screw<Wider<A, B>>{cross(m.a, f.a) + cross(m.b, f.b), cross(m.a, f.b)};
}
template <class A, class B>
inline Wider<A, B> dot(const Screw<A>& f, const Screw<B>& m) {
  return dot(f.a, m.a) + dot(f.b, m.b);
}

/// 2 B of paper 000 in 12 numbers.
template <class S>
struct CoriolisBlock {
  Symmetric<S> K;
  Triple<S> n, f;

  template <class T>
  Screw<T> times(const Screw<T>& m) const {
    const Triple<T> force = cross(f, m.a);
    return {K * m.a - cross(n, m.a),
            Triple<T>{-(force.x + force.x), -(force.y + force.y), -(force.z + force.z)}};
  }
  template <class T>
  Triple<T> transposed_times(const Screw<T>& m) const {
    const Triple<T> moment = cross(f, m.b);
    return K * m.a + cross(n, m.a) + (moment + moment);
  }
  /// A1 = B(s) - A0.
  template <class T>
  Screw<T> without_momentum(const Screw<T>& m) const {
    return {K * m.a + cross(f, m.b), cross(m.a, f)};
  }
};

template <class S>
inline Triple<S> triple_at(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
inline Screw<S> screw_at(const S* x) {
  return {triple_at(x), triple_at(x + 3)};
}
template <class S>
inline CoriolisBlock<S> coriolis_at(const S* x) {
  return {{x[0], x[1], x[2], x[3], x[4], x[5]}, triple_at(x + 6), triple_at(x + 9)};
}

/// The operators A0 to A7 of one axis.
template <class S>
struct AxisOperators {
  CoriolisBlock<S> Bs, A3;
  Screw<S> t1, t2, t3;
  Triple<S> t4;

  explicit AxisOperators(const S* x)
      : Bs(coriolis_at(x + entry_Bs)),
        A3(coriolis_at(x + entry_A3)),
        t1{Bs.n, Bs.f},
        t2(screw_at(x + entry_t2)),
        t3(screw_at(x + entry_t3)),
        t4(triple_at(x + entry_t4)) {}
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
