// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/sincos.hpp>

#include <cmath>

#if FEATHERLINE_CUDA
#include <featherline/cuda/roots.hpp>
#endif

/// Stumpff's functions c_k(x) = 1/k! - x/(k+2)! + x^2/(k+4)! - ..., which the exponential map of turns is made of. With
/// x = theta^2, c_0 = cos(theta), c_1 = sin(theta) / theta and c_3 = (theta - sin(theta)) / theta^3. Steps in time have
/// small turns, where the series need no root, no division and no sine: 40 of the 270 ns of a step of the quadruped.
namespace featherline {
namespace detail {

inline constexpr double longest_series = 0.5;  ///< up to here eight terms are exact to rounding

template <int k>
FEATHERLINE_FUNCTION constexpr double stumpff_term(int j) {
  double factorial = 1.0;
  for (int i = 2; i <= k + 2 * j; ++i) factorial *= i;
  return (j % 2 == 0 ? 1.0 : -1.0) / factorial;
}

/// A tree (Estrin): latency limits a single call.
template <int k, class S>
FEATHERLINE_INLINE constexpr S stumpff_series(const S& x) {
  constexpr double t[] = {stumpff_term<k>(0), stumpff_term<k>(1), stumpff_term<k>(2), stumpff_term<k>(3),
                          stumpff_term<k>(4), stumpff_term<k>(5), stumpff_term<k>(6), stumpff_term<k>(7)};
  const S x2 = x * x;
  const S low = (S(t[0]) + x * S(t[1])) + x2 * (S(t[2]) + x * S(t[3]));
  const S high = (S(t[4]) + x * S(t[5])) + x2 * (S(t[6]) + x * S(t[7]));
  return low + (x2 * x2) * high;
}

template <class S>
FEATHERLINE_INLINE S stumpff_root(const S& x) {
#if FEATHERLINE_CUDA
  using cuda::sqrt;
#else
  using std::sqrt;
#endif
  return sqrt(x);
}

/// From sines and cosines, for x > 0. c_3 cancels where x is small.
template <class S>
FEATHERLINE_FUNCTION inline S stumpff_of_root(const S& x, int k) {
  const S root = stumpff_root(x);
  if (k == 0) return cosine(root);
  const S ratio = sine(root) / root;
  if (k == 1) return ratio;
  return (S(1.0) - ratio) / x;
}

/// Without a branch, for any scalar. c_3 is a series up to its end and a closed form from there. Each gets x cut off
/// there, and their sum counts the end once too often.
template <int k, class S>
FEATHERLINE_FUNCTION inline S stumpff_in_one(const S& x) {
  constexpr double smallest = 1e-36;  // roots have slopes beyond it
  if constexpr (k != 3) return stumpff_of_root(S(x + S(smallest)), k);
  if constexpr (k == 3) {
    const S end(longest_series), beyond = x - end,
                                 excess = S(0.5) * (beyond + stumpff_root(S(beyond * beyond + S(smallest))));
    return stumpff_series<3>(S(end + (beyond - excess))) +
           (stumpff_of_root(S(end + excess), k) - S(stumpff_series<3>(double{longest_series})));
  }
}

#if !FEATHERLINE_CUDA
/// Static like sincos_far().
template <class S>
[[gnu::noinline, gnu::cold]] static S stumpff_far(S x, int k) {
  return stumpff_of_root(x, k);
}
#endif

template <int k, class S>
FEATHERLINE_INLINE S stumpff(const S& x) {
#if !FEATHERLINE_CUDA
  if constexpr (is_plain_real<S>) return x <= S(longest_series) ? stumpff_series<k>(x) : stumpff_far(x, k);
#endif
  return stumpff_in_one<k>(x);
}

}  // namespace detail

template <class S>
FEATHERLINE_INLINE S stumpff_0(const S& x) {
  return detail::stumpff<0>(x);
}
template <class S>
FEATHERLINE_INLINE S stumpff_1(const S& x) {
  return detail::stumpff<1>(x);
}
template <class S>
FEATHERLINE_INLINE S stumpff_3(const S& x) {
  return detail::stumpff<3>(x);
}

}  // namespace featherline
