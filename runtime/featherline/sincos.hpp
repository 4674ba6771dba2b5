// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/config.hpp>
#include <featherline/prepare.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

#if FEATHERLINE_CUDA
#include <featherline/detail/sincos_device.hpp>
#elif FEATHERLINE_SIMD_SINCOS
#include <featherline/detail/sincos_lanes.hpp>
#elif FEATHERLINE_SINGLE_SINCOS
#include <featherline/detail/sincos_single.hpp>
#endif

namespace featherline {

namespace detail {

template <class S>
inline constexpr bool is_plain_real = std::is_same_v<S, double> || std::is_same_v<S, float>;

/// True if the scalar's namespace has one function for sine and cosine, as xsimd has for its batches.
template <class S, class = void>
struct HasPairSincos : std::false_type {};
template <class S>
struct HasPairSincos<S, std::void_t<decltype(sincos(std::declval<const S&>()).second)>> : std::true_type {};

/// True if the scalar's namespace has a function for a whole array, as the lanes of batches have.
template <class S, class = void>
struct HasArraySincos : std::false_type {};
template <class S>
struct HasArraySincos<S, std::void_t<decltype(sincos_array(1, std::declval<const S*>(), std::declval<S*>(),
                                                           std::declval<S*>()))>> : std::true_type {};

template <class S>
FEATHERLINE_FUNCTION inline void sincos_one(const S& angle, S& s, S& c) {
  if constexpr (HasPairSincos<S>::value) {
    const auto both = sincos(angle);
    s = both.first;
    c = both.second;
  } else {
    using std::cos;
    using std::sin;
    s = sin(angle);
    c = cos(angle);
  }
}

template <int N, class S>
FEATHERLINE_FUNCTION inline void sincos_plain(const S* angle, S* s, S* c) {
  if constexpr (HasArraySincos<S>::value) {
    sincos_array(N, angle, s, c);
  } else {
    for (int i = 0; i < N; ++i) sincos_one(angle[i], s[i], c[i]);
  }
}

/// Whether one of the routines below computes all angles.
#if FEATHERLINE_SIMD_SINCOS || defined(FEATHERLINE_SINCOS) || FEATHERLINE_CUDA
template <class S>
inline constexpr bool has_routine = is_plain_real<S>;
#else
template <class S>
inline constexpr bool has_routine = FEATHERLINE_SINGLE_SINCOS&& std::is_same_v<S, float>;
#endif

/// All functions with N angles share its code.
template <int N>
struct SincosCode {
  static constexpr int code_number = N;
  static constexpr bool reads_ahead = false;
};

}  // namespace detail

/// How many angles sincos() computes at once. A power of two.
#if FEATHERLINE_SIMD_SINCOS && !defined(FEATHERLINE_SINCOS)
template <class S>
inline constexpr int sincos_width = detail::is_plain_real<S> ? detail::max_lanes : 1;
#else
template <class S>
inline constexpr int sincos_width = 1;
#endif

/// Sines and cosines of N angles in one call: s[i] = sin(angle[i]), c[i] = cos(angle[i]), i < N, in radians.
/// `s` and `c` overlap neither each other nor `angle`. The arrays need no alignment.
///
///   scalar                     computed by                                       error against long double
///   double                     SIMD lanes (config.hpp)                           1.6 ulp up to 100 rad, 2.4 up to 1e6
///   float                      SIMD lanes                                        correctly rounded but for rare ties
///   float on microcontrollers  detail/sincos_single.hpp                          see there
///   both, under CUDA           detail/sincos_device.hpp                          see there; NaN beyond 1e6
///   any other scalar           its own sin and cos
///
/// The SIMD lanes leave larger angles, infinities and NaN to libm.
///
/// Nanoseconds a call show why this is neither libm nor xsimd 8.1 (random angles, g++ 12 -O2, Zen 4):
///   angles           1    2    3    6    8    9   12   32   48
///   libm            10   21   31   61   82   92  124  333  497
///   AVX-512 xsimd   35   37   41   43   18   36   35   85  127
///           this     5    5   11   12   10   15   16   36   51
///   AVX2    xsimd   25   27   30   20   20   31   29   79  119
///           this     4    6   12   14   12   18   18   46   69
///   SSE2    xsimd   33   21   41   62   83  103  124  332  498
///           this     6    8   17   24   32   39   48  126  189
/// xsimd also costs 0.7 s of compile time a file and includes <ostream>. An error of 0.96 ulp everywhere is possible:
/// the rounding error of the reduction would have to be carried along. It costs 3 ns more at 6 angles, which is not
/// worth it here.
template <int N, class S>
FEATHERLINE_FUNCTION inline void sincos(const S* angle, S* s, S* c) {
  static_assert(N > 0, "no angle, no call");
  using Code = detail::SincosCode<N>;
  code_begins<Code, S>();
#if FEATHERLINE_CUDA
  if constexpr (detail::is_plain_real<S>) detail::sincos_device<N>(angle, s, c);
#elif defined(FEATHERLINE_SINCOS)
  if constexpr (detail::is_plain_real<S>) static_cast<void>(FEATHERLINE_SINCOS(N, angle, s, c));
#elif FEATHERLINE_SIMD_SINCOS
  if constexpr (detail::is_plain_real<S>) detail::sincos_lanes<N>(detail::PlainAngles<S>{angle}, s, c);
#elif FEATHERLINE_SINGLE_SINCOS
  if constexpr (std::is_same_v<S, float>) detail::sincos_single(N, angle, s, c);
#endif
  if constexpr (!detail::has_routine<S>) detail::sincos_plain<N>(angle, s, c);
  code_ends<Code, S>();
}

/// The same of angles a[i] + b[i]. In float the sums of small angles are exact, those of a call with a large one are
/// rounded.
template <int N, class S>
FEATHERLINE_FUNCTION inline void sincos_of_sums(const S* a, const S* b, S* s, S* c) {
#if FEATHERLINE_SIMD_SINCOS && !defined(FEATHERLINE_SINCOS) && !FEATHERLINE_CUDA
  static_assert(detail::is_plain_real<S>, "lanes are of double or float");
  using Code = detail::SincosCode<N>;
  code_begins<Code, S>();
  detail::sincos_lanes<N>(detail::AngleSums<S>{a, b}, s, c);
  code_ends<Code, S>();
#else
  S angle[N];
  for (int i = 0; i < N; ++i) angle[i] = a[i] + b[i];
  sincos<N>(angle, s, c);
#endif
}

namespace detail {

/// Static like sincos_far().
template <class S>
[[gnu::noinline, gnu::cold]] static S far_value(S angle, bool of_cosine) {
  return of_cosine ? std::cos(angle) : std::sin(angle);
}

/// Sine and cosine of one angle. For plain reals no address leaves the function, so that a compiler computes what
/// sine() and cosine() of one angle share once: 4 ns less of a step of the quadruped.
template <class S>
FEATHERLINE_INLINE void sincos_late(const S& angle, S& s, S& c) {
#if FEATHERLINE_SIMD_SINCOS && !defined(FEATHERLINE_SINCOS)
  if constexpr (is_plain_real<S>) {
    const bool is_far = sincos_block<1>(load<1>(&angle), &s, &c)[0] != 0;
    if (is_far) s = far_value(angle, false), c = far_value(angle, true);
    return;
  }
#endif
  featherline::sincos<1>(&angle, &s, &c);
}

}  // namespace detail

/// Of one angle that is made of results of sincos().
template <class S>
FEATHERLINE_INLINE S sine(const S& angle) {
  S s, c;
  detail::sincos_late(angle, s, c);
  return s;
}
template <class S>
FEATHERLINE_INLINE S cosine(const S& angle) {
  S s, c;
  detail::sincos_late(angle, s, c);
  return c;
}

}  // namespace featherline
