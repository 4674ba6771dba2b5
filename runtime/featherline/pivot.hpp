// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <type_traits>
#include <utility>

/// Pivots of factors of matrices that may be singular.
namespace featherline {

/// A pivot at or below this part of the diagonal entries that it belongs to counts as zero:
///
///     float                                1e-5
///     double, and what is made of it       1e-12
template <class S>
inline constexpr double pivot_tolerance = 1e-12;
template <>
inline constexpr double pivot_tolerance<float> = 1e-5;

namespace detail {

/// Whether the scalar is complex: its real parts are compared.
template <class S, class = void>
struct HasRealPart : std::false_type {};
template <class S>
struct HasRealPart<S,
                   std::void_t<decltype(std::declval<const S&>().real() > std::declval<const S&>().real())>>
    : std::true_type {};

template <class S>
inline bool is_above(const S& x, const S& limit) {
  if constexpr (HasRealPart<S>::value) {
    return x.real() > limit.real();
  } else {
    return x > limit;
  }
}

}  // namespace detail

/// 1 / pivot, or 0 where the pivot counts as zero. `diagonal` is its own diagonal entry or a sum of such entries, and not
/// negative.
/// Both sides of the choice are numbers that can be computed, so that compilers need no branch. Scalars need operator>;
/// those with several numbers have an overload in their own namespace.
template <class S>
inline S pivot_inverse(const S& pivot, const S& diagonal) {
  const bool is_kept = detail::is_above(pivot, S(diagonal * S(pivot_tolerance<S>)));
  return (is_kept ? S(1.0) : S(0.0)) / (is_kept ? pivot : S(1.0));
}

/// Whether x, or each of the numbers that x holds, is below zero. NaN is not.
template <class S>
inline bool is_negative(const S& x) {
  return detail::is_above(S(0.0), x);
}

template <int n, class S>
inline bool all_negative(const S* x) {
  bool all = true;
  for (int i = 0; i < n; ++i) all = is_negative(x[i]) && all;
  return all;
}

}  // namespace featherline
