// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

#include <cstdint>
#include <cstring>

/// Sine and cosine that use single precision only, for processors whose floating-point unit has no double.
///
/// Why not libm: newlib has two kinds of sinf and cosf. One computes in double. It brings __aeabi_dadd and the like
/// into the image, even for a Cortex-M7 with a double unit. The other reduces the angle with 3 KB of code and tables.
/// This code takes 0.5 KB with everything that it needs, and it covers every float.
///
/// The method has three steps. First x = k pi/2 + r with |r| <= pi/4. Then one minimax polynomial gives the sine of r
/// and another gives the cosine. Last, the two low bits of k decide whether the two are swapped, and their signs. We
/// computed the coefficients with a Remez exchange in 50 digits. Each time one was rounded to float, the others were
/// fitted again. Their errors are 4e-9 and 1e-10. The error against long double, in units of the last place, is at most
/// 0.75 up to pi/4, 1.5 up to pi, 2.4 up to 200 rad and 3.4 for any larger angle. With -ffast-math it is 1.3 up to pi/4
/// and 3.4 for any larger angle (tests/unit/runtime).
namespace featherline::detail {

/// An angle of at most about pi/4 in magnitude, and the number of quarter turns that were subtracted to get there.
struct ReducedAngle {
  float r;
  std::uint32_t quarter_turns;  ///< modulo 4
};

#ifdef __FAST_MATH__
/// With -ffast-math the compiler may reorder sums, which would spoil the reduction in floats. So angles up to this
/// bound, pi/4, are not reduced at all. Larger angles are reduced in integers.
inline constexpr float near_angle = 0.785398F;

/// Requires |x| <= near_angle.
inline ReducedAngle reduce_near(float x) { return {x, 0}; }
#else
/// Up to this angle the number of quarter turns has at most 7 bits. The first two parts of pi/2 have at most 17 bits
/// each, so their product with it is exact.
inline constexpr float near_angle = 200.0F;

/// Requires |x| <= near_angle.
inline ReducedAngle reduce_near(float x) {
  const float shifted = x * 0x1.45f306p-1F + 0x1.8p23F;  // the nearest k is in the low bits
  std::uint32_t k = 0;
  std::memcpy(&k, &shifted, sizeof k);
  const float multiple = shifted - 0x1.8p23F;
  float r = x - multiple * 0x1.921fp0F;
  r = r - multiple * 0x1.6a88p-17F;
  return {r - multiple * 0x1.0b4612p-34F, k};
}
#endif

/// 32 bits of 2/pi, from bit `offset` on. Bits 0 to 31 are zeros that stand before the first bit of 2/pi.
inline std::uint32_t two_over_pi(std::uint32_t offset) {
  static constexpr std::uint32_t words[] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                            0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  const std::uint32_t high = words[offset / 32], low = words[offset / 32 + 1], shift = offset % 32;
  return (high << shift) | ((low >> 1) >> (31 - shift));
}

/// Any |x| > near_angle, infinities and NaN. Computes x times 2/pi in integers, modulo 4 quarter turns (Payne and
/// Hanek, Radian reduction for trigonometric functions, 1983).
[[gnu::noinline]] inline ReducedAngle reduce_far(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  const std::uint32_t exponent = (bits >> 23) & 0xff;
  if (exponent == 0xff) return {x - x, 0};
  const std::uint32_t offset = exponent - 120;  // at least 6, at most 134
  const std::uint64_t mantissa = (bits & 0x7fffff) | 0x800000;
  const std::uint64_t turns = ((mantissa * two_over_pi(offset)) << 32) + mantissa * two_over_pi(offset + 32) +
                              ((mantissa * two_over_pi(offset + 64)) >> 32);  // quarter turns times 2^62
  const auto k = static_cast<std::uint32_t>((turns + (std::uint64_t{1} << 61)) >> 62);
  const std::uint64_t rest = turns - (std::uint64_t{k} << 62);
  // The two halves are converted separately. One instruction converts 32 bits to float, but 64 bits need a function
  // call.
  const auto high = static_cast<float>(static_cast<std::int32_t>(rest >> 32));
  const auto low = static_cast<float>(static_cast<std::uint32_t>(rest));
  const float r = high * 0x1.921fb6p-30F + low * 0x1.921fb6p-62F;  // each factor holds pi/2
  const bool negative = (bits >> 31) != 0;
  return {negative ? -r : r, negative ? 0 - k : k};
}

/// Sine of r in [-pi/4, pi/4], z = r^2.
FEATHERLINE_INLINE float sine_polynomial(float r, float z) {
  return r + (r * z) * (-0x1.555546p-3F + z * (0x1.11077ap-7F + z * -0x1.9954a4p-13F));
}

/// Cosine of r in [-pi/4, pi/4], z = r^2. The rounding error of 1 - z/2 is added back.
FEATHERLINE_INLINE float cosine_polynomial(float z) {
  const float half = 0.5F * z, head = 1.0F - half;
  return head +
         (((1.0F - head) - half) + (z * z) * (0x1.55554ap-5F + z * (-0x1.6c0c1ap-10F + z * 0x1.99e0eep-16F)));
}

inline void sincos_single(float x, float& s, float& c) {
  const bool is_near = x <= near_angle && x >= -near_angle;
  const ReducedAngle angle = is_near ? reduce_near(x) : reduce_far(x);
  const float r = angle.r, z = r * r, sine = sine_polynomial(r, z), cosine = cosine_polynomial(z);
  const std::uint32_t k = angle.quarter_turns;
  const float swapped_sine = (k & 1U) != 0 ? cosine : sine, swapped_cosine = (k & 1U) != 0 ? sine : cosine;
  s = (k & 2U) != 0 ? -swapped_sine : swapped_sine;
  c = ((k + 1U) & 2U) != 0 ? -swapped_cosine : swapped_cosine;
}

/// All functions of an image share one copy, because size matters on these processors.
[[gnu::noinline]] inline void sincos_single(int n, const float* angle, float* s, float* c) {
  for (int i = 0; i < n; ++i) sincos_single(angle[i], s[i], c[i]);
}

}  // namespace featherline::detail
