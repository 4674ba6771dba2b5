// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/tree_storage.hpp>

#include <cmath>
#include <type_traits>

/// A register full of scalars, for the inner loops of vector_loops.hpp. For double and float it is a vector type that
/// g++ and clang share. For any other type or compiler it is one scalar. It is also one scalar on ARM processors
/// without vector registers. There the compiler would split packs again: the loops of inverse dynamics would take 18.8
/// KB instead of 6.2 KB on a Cortex-M4 with -O2.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// `width` numbers: a type for registers, and one for places in memory that are aligned like a single number.
template <class S, int width>
struct VectorOf;

template <class S>
struct VectorOf<S, 1> {
  using type = S;
  using in_memory = S;
};

template <class S>
struct PackOf {
  static constexpr int width = 1;
};

#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_NEON))
template <class S, int width>
struct VectorOf {
  typedef S type __attribute__((vector_size(width * sizeof(S))));
  typedef S in_memory __attribute__((vector_size(width * sizeof(S)), aligned(alignof(S)), may_alias));
};
template <>
struct PackOf<double> {
  static constexpr int width = register_bytes / static_cast<int>(sizeof(double));
};
template <>
struct PackOf<float> {
  static constexpr int width = register_bytes / static_cast<int>(sizeof(float));
};
#endif

template <class S>
using Pack = typename VectorOf<S, PackOf<S>::width>::type;

/// The numbers of a vector for rows of n: the largest power of two that fits a row and a register.
template <class S>
constexpr int width_in_row(int n) {
  int width = 1;
  while (2 * width <= n && 2 * width <= PackOf<S>::width) width *= 2;
  return width;
}

/// x rounded up to a multiple of the pack's width.
template <class S>
constexpr int padded(int x) {
  return (x + PackOf<S>::width - 1) / PackOf<S>::width * PackOf<S>::width;
}

/// The same, where the compiler may not know x.
template <class S>
constexpr int padded_or_unknown(int x) {
  return x == unknown ? unknown : padded<S>(x);
}

/// Vectors are read and written through pointers. Where g++ 12 keeps an array of vectors apart only late, it would turn
/// memcpy into moves of 16 bytes: M^-1 of 18 coordinates took 230 ns instead of 165 with AVX2.
template <int width, class S>
inline typename VectorOf<S, width>::type load_vector(const S* from) {
  return *reinterpret_cast<const typename VectorOf<S, width>::in_memory*>(from);
}
template <int width, class S>
inline void store_vector(const typename VectorOf<S, width>::type& x, S* to) {
  *reinterpret_cast<typename VectorOf<S, width>::in_memory*>(to) = x;
}

/// Keeps a vector that was read in its register. Otherwise g++ reads it again for each of its uses, and vectors that
/// cross cache lines are slow to read: a product of 38 coordinates takes 1,070 ns instead of 930 on a Zen 4.
template <class Vector>
FEATHERLINE_INLINE void keep_in_register([[maybe_unused]] Vector& x) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  asm("" : "+v"(x));
#endif
}

/// Square roots. A loop over the numbers stays a loop, because sqrt may set errno.
template <class Vector>
FEATHERLINE_INLINE Vector roots(const Vector& x) {
  using std::sqrt;
  if constexpr (std::is_floating_point<Vector>::value || std::is_class<Vector>::value) {
    return sqrt(x);
  } else {
#if defined(__AVX__) && defined(__GNUC__) && !defined(__clang__)
    if constexpr (std::is_same<Vector, VectorOf<double, 4>::type>::value) return __builtin_ia32_sqrtpd256(x);
#endif
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
    if constexpr (std::is_same<Vector, VectorOf<double, 8>::type>::value)
      return __builtin_ia32_sqrtpd512_mask(x, x, -1, 4);
#endif
    Vector y = x;
    for (int k = 0; k < static_cast<int>(sizeof(x) / sizeof(x[0])); ++k) y[k] = sqrt(x[k]);
    return y;
  }
}

template <class S>
inline Pack<S> load_pack(const S* from) {
  return load_vector<PackOf<S>::width>(from);
}
template <class S>
inline void store_pack(const Pack<S>& x, S* to) {
  store_vector<PackOf<S>::width>(x, to);
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
