// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/register_bytes.hpp>

#include <type_traits>
#include <utility>

/// Loops and conditions of straight-line kernels over a robot's tree. If the compiler knows the tree, it unrolls the
/// loops and drops what does not apply. If it does not, the same code runs as written: so the generator verifies kernels
/// on trees that it reads (verify/run_kernels.cpp).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Whether the compiler knows the tree: emitted code declares it as constants.
template <class Tree>
inline constexpr bool is_known_tree = true;

template <int k>
using Known = std::integral_constant<int, k>;

template <int n>
using UpTo = std::make_integer_sequence<int, n>;

template <class T>
inline constexpr bool is_known = !std::is_arithmetic_v<T>;

/// f(k...), as a type if all k are.
template <auto f, class... K>
constexpr auto known(K... k) {
  if constexpr ((is_known<K> && ...)) {
    return std::integral_constant<decltype(f(K::value...)), f(K::value...)>{};
  } else {
    return f(k...);
  }
}

constexpr bool always(int) { return true; }

/// Calls visit(k) if holds(k, further...).
template <auto holds, class K, class Visit, class... Further>
FEATHERLINE_INLINE void visit_if(K k, [[maybe_unused]] const Visit& visit, Further... further) {
  if constexpr ((is_known<K> && ... && is_known<Further>)) {
    if constexpr (holds(K::value, Further::value...)) visit(k);
  } else {
    if (holds(k, further...)) visit(k);
  }
}

/// The same for begin, begin + step, and so on.
template <auto holds, int begin, int step, int... m, class Visit, class... Further>
FEATHERLINE_INLINE void visit_each(std::integer_sequence<int, m...>, [[maybe_unused]] const Visit& visit,
                                   [[maybe_unused]] Further... further) {
  (visit_if<holds>(Known<begin + step * m>{}, visit, further...), ...);
}

/// Calls visit(k) for the k from `begin` up to, but without, `end`, for which holds(k, further...) is true.
template <class Tree, auto holds = always, class Begin, class End, class Visit, class... Further>
FEATHERLINE_INLINE void each(Begin begin, End end, const Visit& visit, Further... further) {
  if constexpr (is_known_tree<Tree>) {
    visit_each<holds, Begin::value, 1>(UpTo<End::value - Begin::value>{}, visit, further...);
  } else {
    for (int k = begin; k < end; ++k) visit_if<holds>(k, visit, further...);
  }
}

/// The same from `last` down to that behind `end`.
template <class Tree, auto holds = always, class Last, class End, class Visit, class... Further>
FEATHERLINE_INLINE void each_downwards(Last last, End end, const Visit& visit, Further... further) {
  if constexpr (is_known_tree<Tree>) {
    visit_each<holds, Last::value, -1>(UpTo<Last::value - End::value>{}, visit, further...);
  } else {
    for (int k = last; k > end; --k) visit_if<holds>(k, visit, further...);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
