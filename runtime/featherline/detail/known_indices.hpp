// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/register_bytes.hpp>

#include <type_traits>
#include <utility>

/// Loops and conditions of straight-line code over a robot's tree. The compiler unrolls the loops and drops what does
/// not apply.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <int k>
using Known = std::integral_constant<int, k>;

template <int n>
using UpTo = std::make_integer_sequence<int, n>;

/// f(k...) as a type.
template <auto f, class... K>
constexpr auto known(K...) {
  return std::integral_constant<decltype(f(K::value...)), f(K::value...)>{};
}

constexpr bool always(int) { return true; }

/// Calls visit(k) if holds(k, further...).
template <auto holds, class K, class Visit, class... Further>
FEATHERLINE_INLINE void visit_if(K k, [[maybe_unused]] const Visit& visit, Further...) {
  if constexpr (holds(K::value, Further::value...)) visit(k);
}

/// The same for begin, begin + step, and so on.
template <auto holds, int begin, int step, int... m, class Visit, class... Further>
FEATHERLINE_INLINE void visit_each(std::integer_sequence<int, m...>, [[maybe_unused]] const Visit& visit,
                                   [[maybe_unused]] Further... further) {
  (visit_if<holds>(Known<begin + step * m>{}, visit, further...), ...);
}

/// Calls visit(k) for the k from `begin` up to, but without, `end`, for which holds(k, further...) is true.
template <auto holds = always, class Begin, class End, class Visit, class... Further>
FEATHERLINE_INLINE void each(Begin, End, const Visit& visit, Further... further) {
  visit_each<holds, Begin::value, 1>(UpTo<End::value - Begin::value>{}, visit, further...);
}

/// The same from `last` down to that behind `end`.
template <auto holds = always, class Last, class End, class Visit, class... Further>
FEATHERLINE_INLINE void each_downwards(Last, End, const Visit& visit, Further... further) {
  visit_each<holds, Last::value, -1>(UpTo<Last::value - End::value>{}, visit, further...);
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
