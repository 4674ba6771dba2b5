#pragma once

#include <featherline/config.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

#if FEATHERLINE_SIMD_SINCOS
#include <featherline/detail/sincos_lanes.hpp>
#endif

namespace featherline {

namespace detail {

template <class S>
inline constexpr bool is_plain_real = std::is_same_v<S, double> || std::is_same_v<S, float>;

/// True for scalars whose namespace offers one call for both, as xsimd's batches do.
template <class S, class = void>
struct HasPairSincos : std::false_type {};
template <class S>
struct HasPairSincos<S, std::void_t<decltype(sincos(std::declval<const S&>()).second)>> : std::true_type {};

template <class S>
inline void sincos_one(const S& angle, S& s, S& c) {
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

}  // namespace detail

/// Sines and cosines of N angles in one call: s[i] = sin(angle[i]), c[i] = cos(angle[i]), i < N, in radians.
/// `s` and `c` overlap neither each other nor `angle`. No alignment is asked for.
///
/// double and float go through SIMD lanes (see config.hpp), any other scalar through its own sin and cos.
/// Errors found against long double over 4e6 angles up to 1e6 (tests/unit/runtime): at most ULP_D units in the
/// last place for double and 0.51 for float; larger angles, infinities and NaN are left to libm.
///
/// Why not libm, why not xsimd 8.1: NUMBERS
template <int N, class S>
inline void sincos(const S* angle, S* s, S* c) {
  static_assert(N > 0, "no angle, no call");
#ifdef FEATHERLINE_SINCOS
  if constexpr (detail::is_plain_real<S>) return static_cast<void>(FEATHERLINE_SINCOS(N, angle, s, c));
#elif FEATHERLINE_SIMD_SINCOS
  if constexpr (detail::is_plain_real<S>) return detail::sincos_lanes<N>(angle, s, c);
#endif
  for (int i = 0; i < N; ++i) detail::sincos_one(angle[i], s[i], c[i]);
}

}  // namespace featherline
