// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/register_bytes.hpp>
#include <featherline/detail/sincos_polynomials.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

/// Sine and cosine of many angles in SIMD lanes. The code uses the vector types that g++ and clang share. So the same
/// text serves SSE2, AVX, AVX-512 and NEON, and no SIMD library is needed.
///
/// The method has three steps. First x = k pi/2 + r with |r| <= pi/4 (Cody and Waite, Software Manual for the
/// Elementary Functions, 1980). For that pi/2 is split into three parts. The first two have 33 bits, so that k times
/// either is exact for k < 2^20. Then one minimax polynomial gives the sine of r and another gives the cosine
/// (sincos_polynomials.hpp). Last, the two low bits of k decide whether the two are swapped, and their signs.
namespace featherline::detail {

inline constexpr int max_lanes = register_bytes / static_cast<int>(sizeof(double));

template <int W>
struct AngleVector {
  typedef double Real __attribute__((vector_size(8 * W)));
  typedef float Single __attribute__((vector_size(4 * W)));
  typedef std::int64_t Bits __attribute__((vector_size(8 * W)));
};

/// Some numbers, and zeros in the other lanes.
template <class Vector, class S, int... lane>
[[gnu::always_inline]] inline Vector first_lanes(const S* from, std::integer_sequence<int, lane...>) {
  return Vector{from[lane]...};
}

/// clang gets the numbers one by one, so that it builds the vector in registers. It would write sums such as q[1] + pi
/// to the array and read them back as one vector at once, which has to wait until they have left the store buffer: ur5
/// `rnea` takes 36 ns instead of 50, `gravity` 11 instead of 26. g++ builds it in registers either way.
template <class Vector, int W, int used, class S>
[[gnu::always_inline]] inline Vector load_vector(const S* from) {
  if constexpr (used < W) return first_lanes<Vector>(from, std::make_integer_sequence<int, used>{});
  Vector x;
#ifdef __clang__
  for (int i = 0; i < W; ++i) x[i] = from[i];
#else
  std::memcpy(&x, from, sizeof x);
#endif
  return x;
}

/// W angles, all converted to double. So a float result is correctly rounded in all but rare cases.
template <int W, int used = W, class S>
[[gnu::always_inline]] inline typename AngleVector<W>::Real load(const S* from) {
  using Real = typename AngleVector<W>::Real;
  if constexpr (sizeof(S) == sizeof(double)) {
    return load_vector<Real, W, used>(from);
  } else {
    return __builtin_convertvector(load_vector<typename AngleVector<W>::Single, W, used>(from), Real);
  }
}

template <int used, class Vector, class S>
[[gnu::always_inline]] inline void store_vector(const Vector& x, S* to) {
  if constexpr (used * sizeof(S) == sizeof x)
    std::memcpy(to, &x, sizeof x);
  else
    for (int i = 0; i < used; ++i) to[i] = x[i];
}

template <int W, int used, class S>
[[gnu::always_inline]] inline void store(typename AngleVector<W>::Real x, S* to) {
  if constexpr (sizeof(S) == sizeof(double))
    store_vector<used>(x, to);
  else
    store_vector<used>(__builtin_convertvector(x, typename AngleVector<W>::Single), to);
}

/// x where the highest bit of `which` is set, and y elsewhere. SSE2 cannot choose by it, nor compare such integers.
template <int W>
[[gnu::always_inline]] inline typename AngleVector<W>::Real chosen(typename AngleVector<W>::Bits which,
                                                                   typename AngleVector<W>::Real x,
                                                                   typename AngleVector<W>::Real y) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
  using Bits = typename AngleVector<W>::Bits;
  typedef std::uint64_t Words __attribute__((vector_size(8 * W)));
  const Bits all = -reinterpret_cast<Bits>(reinterpret_cast<Words>(which) >> 63);
  return reinterpret_cast<typename AngleVector<W>::Real>((reinterpret_cast<Bits>(x) & all) |
                                                         (reinterpret_cast<Bits>(y) & ~all));
#else
  return which < 0 ? x : y;
#endif
}

/// One block of W angles, of which the first `used` are written. Returns which lanes hold an angle that is too large for
/// the reduction, infinite or not a number: all bits of such a lane are one. The results of those lanes mean nothing.
template <int W, int used = W, class S>
[[gnu::always_inline]] inline typename AngleVector<W>::Bits sincos_block(typename AngleVector<W>::Real x,
                                                                         S* s, S* c) {
  using Real = typename AngleVector<W>::Real;
  using Bits = typename AngleVector<W>::Bits;
  constexpr std::int64_t sign_bit = INT64_MIN;

  const Real shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;  // the nearest k is in the low bits
  const Bits k = reinterpret_cast<Bits>(shifted);
  const Real multiple = shifted - 0x1.8p52;
  Real r = x - multiple * 0x1.921fb544p+0;
  r = r - multiple * 0x1.0b4611a6p-34;
  r = r - multiple * 0x1.3198a2e037073p-69;

  const Real z = r * r;
  const Real sine = sine_polynomial(r, z), cosine = cosine_polynomial(z);
  const Bits swap = k << 63, sine_sign = k << 62;  // in the highest bit
  const Bits s_bits = reinterpret_cast<Bits>(chosen<W>(swap, cosine, sine));
  const Bits c_bits = reinterpret_cast<Bits>(chosen<W>(swap, sine, cosine));
  store<W, used>(reinterpret_cast<Real>(s_bits ^ (sine_sign & sign_bit)), s);
  store<W, used>(reinterpret_cast<Real>(c_bits ^ ((sine_sign ^ swap) & sign_bit)), c);
  return ~(x * x <= 1e12);
}

template <int W>
[[gnu::always_inline]] inline bool any(typename AngleVector<W>::Bits mask) {
  if constexpr (W == 1) {
    return mask[0] != 0;
  } else {
    typename AngleVector<W / 2>::Bits half[2];
    std::memcpy(half, &mask, sizeof mask);
    return any<W / 2>(half[0] | half[1]);
  }
}

/// Angles that are too large for the reduction. The function is static, not inline: files that are compiled for
/// different processors may meet in one program, and each needs its own copy.
template <class S>
[[gnu::noinline, gnu::cold]] static void sincos_far(int n, const S* angle, S* s, S* c) {
  for (int i = 0; i < n; ++i) {
    s[i] = std::sin(angle[i]);
    c[i] = std::cos(angle[i]);
  }
}

constexpr int widest_block(int n) {
  int width = max_lanes;
  while (width > n) width /= 2;
  return width;
}

/// The lanes of a block for a tail of n angles behind blocks of `width`: four if there are, because such a block shares
/// its constants with the others, or the smallest power of two that is at least n. One angle is quicker alone: ur5
/// `rnea` takes 4 % longer with four lanes (clang).
constexpr int tail_block(int n, int width) {
  int tail = n == 1 ? 1 : width < 4 ? width : 4;
  while (tail < n) tail *= 2;
  return tail;
}

/// Angles in an array.
template <class S>
struct PlainAngles {
  const S* angle;

  template <int W, int used>
  FEATHERLINE_INLINE typename AngleVector<W>::Real vector(int i) const {
    return load<W, used>(angle + i);
  }
  FEATHERLINE_INLINE void far(int n, S* s, S* c) const { sincos_far(n, angle, s, c); }
};

/// Angles that are sums of two numbers.
template <class S>
struct AngleSums {
  const S *a, *b;

  template <int W, int used>
  FEATHERLINE_INLINE typename AngleVector<W>::Real vector(int i) const {
    return load<W, used>(a + i) + load<W, used>(b + i);
  }
  FEATHERLINE_INLINE void far(int n, S* s, S* c) const {
    for (int i = 0; i < n; ++i) {
      const S angle = a[i] + b[i];
      sincos_far(1, &angle, s + i, c + i);
    }
  }
};

/// N angles, in blocks of the widest vector. The tail may be a narrower block. Nothing outside the arrays is read or
/// written. Tails of five and more end with the last angle and compute some earlier angles again. Shorter ones have
/// lanes of zeros: a read of numbers of two stores, and of one that the tail stores again, would wait
/// (seven angles took 35 ns instead of 26; Zen 3).
template <int N, class Angles, class S>
[[gnu::always_inline]] inline void sincos_lanes(const Angles& angles, S* s, S* c) {
  constexpr int width = widest_block(N);
  constexpr int whole = N / width * width;
  typename AngleVector<width>::Bits far{};
  for (int i = 0; i < whole; i += width)
    far |= sincos_block<width>(angles.template vector<width, width>(i), s + i, c + i);
  bool far_away = any<width>(far);
  if constexpr (whole < N) {
    constexpr int tail = tail_block(N - whole, width), used = tail <= 4 ? N - whole : tail, first = N - used;
    far_away |=
        any<tail>(sincos_block<tail, used>(angles.template vector<tail, used>(first), s + first, c + first));
  }
  if (__builtin_expect(far_away, 0)) angles.far(N, s, c);
}

}  // namespace featherline::detail
