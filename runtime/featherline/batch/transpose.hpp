// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/lanes.hpp>

#include <type_traits>
#include <utility>

/// Tiles of `quad` x L::size numbers, transposed in registers: what turns arrays of states into lanes, and back.
///
/// A wide vector is put together from pieces of four numbers by loads, which have time to spare: of the 24
/// shuffles for 8 x 8 numbers 16 are left.
namespace featherline::batch {

template <class L>
inline constexpr int quad = L::size < 4 ? L::size : 4;

/// Lane j of the result is lane Pattern::from(j) of the pair (a, b).
template <class Pattern, class L, std::size_t... j>
[[gnu::always_inline]] inline L shuffle(const L& a, const L& b, std::index_sequence<j...>) {
#ifdef __clang__
  return L(__builtin_shufflevector(a.x, b.x, Pattern::from(static_cast<int>(j))...));
#else
  using Index = std::conditional_t<sizeof(a.x[0]) == 8, std::int64_t, std::int32_t>;
  typedef Index Mask __attribute__((vector_size(sizeof(a.x))));
  return L(__builtin_shuffle(a.x, b.x,
                             Mask{std::integral_constant<Index, Pattern::from(static_cast<int>(j))>()...}));
#endif
}

/// Two rows exchange their blocks of `block` lanes: (a0 a1, b0 b1) -> (a0 b0, a1 b1).
template <int width, int block, bool second>
struct Exchange {
  static constexpr int from(int j) {
    if ((j & block) == 0) return second ? j + block : j;
    return second ? width + j : width + j - block;
  }
};

template <int block, class L>
[[gnu::always_inline]] inline void exchange(L& a, L& b) {
  constexpr std::make_index_sequence<L::size> lanes;
  const L first = shuffle<Exchange<L::size, block, false>>(a, b, lanes);
  b = shuffle<Exchange<L::size, block, true>>(a, b, lanes);
  a = first;
}

/// rows[i] lane 4 g + j <-> rows[j] lane 4 g + i, for each group g of four lanes (two, where a vector has two).
template <class L>
[[gnu::always_inline]] inline void transpose_quads(L* rows) {
  exchange<1>(rows[0], rows[1]);
  if constexpr (quad<L> == 4) {
    exchange<1>(rows[2], rows[3]);
    exchange<2>(rows[0], rows[2]);
    exchange<2>(rows[1], rows[3]);
  }
}

/// Two vectors one behind the other.
template <class Whole, class Half, std::size_t... j>
[[gnu::always_inline]] inline Whole join(const Half& low, const Half& high, std::index_sequence<j...>) {
#if defined(__AVX512F__) && !defined(__clang__)
  // g++ has vinsertf64x4 from memory only under this name; its shuffles go through the busiest unit.
  if constexpr (sizeof(Whole) == 64) {
    typedef double Half4 __attribute__((vector_size(32)));
    typedef double Whole8 __attribute__((vector_size(64)));
    const Half4 a = reinterpret_cast<Half4>(low), b = reinterpret_cast<Half4>(high);
    const Whole8 start = __builtin_shufflevector(a, a, 0, 1, 2, 3, -1, -1, -1, -1);
    return reinterpret_cast<Whole>(__builtin_ia32_insertf64x4_mask(start, b, 1, Whole8{}, -1));
  }
#endif
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(low, high, static_cast<int>(j)...);
#else
  Whole whole;
  std::memcpy(&whole, &low, sizeof low);
  std::memcpy(reinterpret_cast<char*>(&whole) + sizeof low, &high, sizeof high);
  return whole;
#endif
}

/// A vector of `size` numbers from pieces of `piece` numbers each, wherever they are in memory.
template <int size, int piece, class T>
[[gnu::always_inline]] inline auto load_pieces(const T* const* pieces) {
  typedef T Whole __attribute__((vector_size(size * sizeof(T))));
  if constexpr (size == piece) {
    return load_vector<Whole>(*pieces);
  } else {
    const auto low = load_pieces<size / 2, piece>(pieces);
    const auto high = load_pieces<size / 2, piece>(pieces + size / 2 / piece);
    return join<Whole>(low, high, std::make_index_sequence<size>());
  }
}

}  // namespace featherline::batch
