// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/sincos_polynomials.hpp>
#include <featherline/detail/sincos_single.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

/// Sines and cosines for devices: in registers, without branches and without a library, which clang has not. The
/// processor computes the same beside them, so that both sides agree.
///
/// x = k pi/2 + r with |r| <= pi/4, pi/2 in three parts. A fused multiplication and addition rounds once, so the first
/// difference is exact, and the parts need no zeros at their ends (Muller et al., Handbook of Floating-Point
/// Arithmetic, 2018, ch. 10). CUDA's own sincosf() keeps an array in local memory for large angles; here they give NaN.
///
/// Errors against long double up to 1e6 rad: 1.5 ulp in double and 1.6 ulp in float.
namespace featherline::detail {

inline constexpr double farthest_on_devices = 1e6;  ///< [rad] beyond it k has too many bits

/// a b + c, rounded once.
template <class S>
FEATHERLINE_INLINE S fused(S a, S b, S c) {
#if defined(__CUDA_ARCH__) && !defined(__clang__)
  if constexpr (sizeof(S) == 4) return ::fmaf(a, b, c);
  if constexpr (sizeof(S) == 8) return ::fma(a, b, c);
#else
  if constexpr (sizeof(S) == 4) return __builtin_fmaf(a, b, c);
  if constexpr (sizeof(S) == 8) return __builtin_fma(a, b, c);
#endif
}

/// pi/2, the number whose sum with another one has the nearest integer in its low bits, and what no angle gives.
template <class S>
struct Quarter {
  static constexpr double magic = 0x1.8p52,
                          parts[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
                          nothing = std::numeric_limits<double>::quiet_NaN();
};
template <>
struct Quarter<float> {
  static constexpr float magic = 0x1.8p23F, parts[] = {0x1.921fb6p+0F, -0x1.777a5cp-25F, -0x1.ee59dap-50F},
                         nothing = std::numeric_limits<float>::quiet_NaN();
};

template <class S>
FEATHERLINE_INLINE void sincos_device(const S& angle, S& s, S& c) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  // Everything that is made of x is then no number, too. A sum of two comparisons, because clang branches at &&.
  const int bounds =
      static_cast<int>(angle <= S(farthest_on_devices)) + static_cast<int>(angle >= S(-farthest_on_devices));
  const S x = bounds == 2 ? angle : Quarter<S>::nothing;
  const S shifted = fused(x, S(0x1.45f306dc9c883p-1), Quarter<S>::magic);
  Bits k = 0;
  __builtin_memcpy(&k, &shifted, sizeof k);
  const S multiple = shifted - Quarter<S>::magic;
  S r = fused(-multiple, Quarter<S>::parts[0], x);
  r = fused(-multiple, Quarter<S>::parts[1], r);
  r = fused(-multiple, Quarter<S>::parts[2], r);
  const S z = r * r, sine = sine_polynomial(r, z), cosine = cosine_polynomial(z);
  const auto turns = static_cast<std::uint32_t>(k);
  const bool is_odd = (turns & 1U) != 0;
  const S swapped_sine = is_odd ? cosine : sine, swapped_cosine = is_odd ? sine : cosine;
  s = (turns & 2U) != 0 ? -swapped_sine : swapped_sine;
  c = ((turns + 1U) & 2U) != 0 ? -swapped_cosine : swapped_cosine;
}

template <class S, int... i>
FEATHERLINE_INLINE void sincos_each(const S* angle, S* s, S* c, std::integer_sequence<int, i...>) {
  (sincos_device(angle[i], s[i], c[i]), ...);
}

/// N angles, one behind the other without a loop: no array of theirs is indexed by a variable.
template <int N, class S>
FEATHERLINE_INLINE void sincos_device(const S* angle, S* s, S* c) {
  sincos_each(angle, s, c, std::make_integer_sequence<int, N>{});
}

}  // namespace featherline::detail
