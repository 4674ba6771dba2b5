// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/register_bytes.hpp>
#include <featherline/detail/sincos_polynomials.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

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

/// clang gets the numbers one by one, so that it builds the vector in registers. It would write sums such as q[1] + pi
/// to the array and read them back as one vector at once, which has to wait until they have left the store buffer: ur5
/// `rnea` takes 36 ns instead of 50, `gravity` 11 instead of 26. g++ builds it in registers either way.
template <class Vector, int W, class S>
[[gnu::always_inline]] inline Vector load_vector(const S* from) {
  Vector x;
#ifdef __clang__
  for (int i = 0; i < W; ++i) x[i] = from[i];
#else
  std::memcpy(&x, from, sizeof x);
#endif
  return x;
}

/// W angles, all converted to double. So a float result is correctly rounded in all but rare cases.
template <int W, class S>
[[gnu::always_inline]] inline typename AngleVector<W>::Real load(const S* from) {
  using Real = typename AngleVector<W>::Real;
  if constexpr (sizeof(S) == sizeof(double)) {
    return load_vector<Real, W>(from);
  } else {
    return __builtin_convertvector(load_vector<typename AngleVector<W>::Single, W>(from), Real);
  }
}

template <int W, class S>
[[gnu::always_inline]] inline void store(typename AngleVector<W>::Real x, S* to) {
  if constexpr (sizeof(S) == sizeof(double)) {
    std::memcpy(to, &x, sizeof x);
  } else {
    const auto rounded = __builtin_convertvector(x, typename AngleVector<W>::Single);
    std::memcpy(to, &rounded, sizeof rounded);
  }
}

/// One block of W angles. Returns which lanes hold an angle that is too large for the reduction, infinite or not a
/// number: all bits of such a lane are one. The results of those lanes mean nothing.
template <int W, class S>
[[gnu::always_inline]] inline typename AngleVector<W>::Bits sincos_block(const S* angle, S* s, S* c) {
  using Real = typename AngleVector<W>::Real;
  using Bits = typename AngleVector<W>::Bits;
  constexpr std::int64_t sign_bit = INT64_MIN;

  const Real x = load<W>(angle);
  const Real shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;  // the nearest k is in the low bits
  const Bits k = reinterpret_cast<Bits>(shifted);
  const Real multiple = shifted - 0x1.8p52;
  Real r = x - multiple * 0x1.921fb544p+0;
  r = r - multiple * 0x1.0b4611a6p-34;
  r = r - multiple * 0x1.3198a2e037073p-69;

  const Real z = r * r;
  const Bits sine = reinterpret_cast<Bits>(sine_polynomial(r, z));
  const Bits cosine = reinterpret_cast<Bits>(cosine_polynomial(z));
  const Bits swap = -(k & 1);
  const Bits sine_sign = (k << 62) & sign_bit;
  const Bits cosine_sign = ((k + 1) << 62) & sign_bit;
  store<W>(reinterpret_cast<Real>(((cosine & swap) | (sine & ~swap)) ^ sine_sign), s);
  store<W>(reinterpret_cast<Real>(((sine & swap) | (cosine & ~swap)) ^ cosine_sign), c);

  const Real magnitude = reinterpret_cast<Real>(reinterpret_cast<Bits>(x) & ~sign_bit);
  return ~(magnitude <= 1e6);
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

/// The smallest power of two that is at least n, for a tail of n angles.
constexpr int tail_block(int n) {
  int width = 1;
  while (width < n) width *= 2;
  return width;
}

/// N angles, in blocks of the widest vector. The tail is a narrower block. It ends with the last angle and may compute
/// some earlier angles again. So nothing outside the arrays is read or written, and no lane needs a mask.
template <int N, class S>
[[gnu::always_inline]] inline void sincos_lanes(const S* angle, S* s, S* c) {
  constexpr int width = widest_block(N);
  constexpr int whole = N / width * width;
  typename AngleVector<width>::Bits far{};
  for (int i = 0; i < whole; i += width) far |= sincos_block<width>(angle + i, s + i, c + i);
  bool far_away = any<width>(far);
  if constexpr (whole < N) {
    constexpr int tail = tail_block(N - whole);
    far_away |= any<tail>(sincos_block<tail>(angle + N - tail, s + N - tail, c + N - tail));
  }
  if (__builtin_expect(far_away, 0)) sincos_far(N, angle, s, c);
}

}  // namespace featherline::detail
