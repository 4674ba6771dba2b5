// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>

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
FEATHERLINE_FUNCTION inline bool is_above(const S& x, const S& limit) {
  if constexpr (HasRealPart<S>::value) {
    return x.real() > limit.real();
  } else {
    return x > limit;
  }
}

}  // namespace detail

/// 1 / pivot, or 0 where the pivot counts as zero. `diagonal` is its own diagonal entry or a sum of such entries, and
/// not negative.
/// Both sides of the choice are numbers that can be computed, so that compilers need no branch. Scalars need operator>;
/// those with several numbers have an overload in their own namespace.
template <class S>
FEATHERLINE_FUNCTION inline S pivot_inverse(const S& pivot, const S& diagonal) {
  const bool is_kept = detail::is_above(pivot, S(diagonal * S(pivot_tolerance<S>)));
  return (is_kept ? S(1.0) : S(0.0)) / (is_kept ? pivot : S(1.0));
}

/// A limb that is solved together with the rows of its constraint is stretched where these rows are this many times as
/// large as what the others leave of one of them, or more. Errors grow with this number: 20,000 states of hyq, most of
/// them near straight legs, had errors of 3e-13 at 1e3, 8e-12 at 1e5, 3e-10 at 1e6. In float, at 1e3, the property
/// limb_lanes finds 1.2e-5 at most on legs that approach straight lines, where 1e-3 is allowed.
///
///     float                                1e3
///     double, and what is made of it       1e5
template <class S>
inline constexpr double most_stretch = 1e5;
template <>
inline constexpr double most_stretch<float> = 1e3;

/// Whether a limb is not stretched. For scalars with several numbers: whether none is. A pivot of rounding errors may
/// be negative, and so may the stretch.
template <class S>
FEATHERLINE_FUNCTION inline bool is_bent(const S& stretch) {
  return detail::is_above(S(most_stretch<S>), stretch) && !detail::is_above(S(0.0), stretch);
}

template <int n, class S>
FEATHERLINE_FUNCTION inline bool all_bent(const S* stretch) {
  bool all = true;
  for (int i = 0; i < n; ++i) all = is_bent(stretch[i]) && all;
  return all;
}

}  // namespace featherline
