// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>

#include <cstring>
#include <type_traits>

/// A register full of scalars, for the inner loops of vector_loops.hpp: a vector type g++ and clang share for double
/// and float, one scalar for any other type or compiler. Where ARM has no vector registers packs would be taken apart
/// again: 18.8 KB instead of 6.2 KB for the loops of inverse dynamics on a Cortex-M4, -O2.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class S>
struct PackOf {
  using type = S;
  static constexpr int width = 1;
};

#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_NEON))
template <>
struct PackOf<double> {
  typedef double type __attribute__((vector_size(register_bytes)));
  static constexpr int width = register_bytes / static_cast<int>(sizeof(double));
};
template <>
struct PackOf<float> {
  typedef float type __attribute__((vector_size(register_bytes)));
  static constexpr int width = register_bytes / static_cast<int>(sizeof(float));
};
#endif

template <class S>
using Pack = typename PackOf<S>::type;

/// x rounded up to whole packs.
template <class S>
constexpr int padded(int x) {
  return (x + PackOf<S>::width - 1) / PackOf<S>::width * PackOf<S>::width;
}

template <class S>
inline Pack<S> load_pack(const S* from) {
  if constexpr (PackOf<S>::width == 1) {
    return *from;
  } else {
    Pack<S> x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
}

template <class S>
inline void store_pack(const Pack<S>& x, S* to) {
  if constexpr (PackOf<S>::width == 1) {
    *to = x;
  } else {
    std::memcpy(to, &x, sizeof x);
  }
}

/// What operations on scalars or packs give: a scalar meets a pack in all its lanes. Not decltype(a + b), which is no
/// value where scalars are expression templates, as those of Eigen's AutoDiff are.
template <class A, class B>
using Wider = std::conditional_t<(sizeof(A) < sizeof(B)), B, A>;

/// Three components, of scalars or of packs.
template <class T>
struct Triple {
  T x, y, z;
};

template <class A, class B>
inline auto operator+(const Triple<A>& a, const Triple<B>& b) {
  return Triple<Wider<A, B>>{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
inline auto operator-(const Triple<A>& a, const Triple<B>& b) {
  return Triple<Wider<A, B>>{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A, class B>
inline auto cross(const Triple<A>& a, const Triple<B>& b) {
  return Triple<Wider<A, B>>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class A, class B>
inline Wider<A, B> dot(const Triple<A>& a, const Triple<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Symmetric 3 x 3: xx, xy, xz, yy, yz, zz.
template <class T>
struct Symmetric {
  T xx, xy, xz, yy, yz, zz;
};
template <class A, class B>
inline auto operator*(const Symmetric<A>& K, const Triple<B>& v) {
  return Triple<Wider<A, B>>{K.xx * v.x + K.xy * v.y + K.xz * v.z, K.xy * v.x + K.yy * v.y + K.yz * v.z,
                             K.xz * v.x + K.yz * v.y + K.zz * v.z};
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
