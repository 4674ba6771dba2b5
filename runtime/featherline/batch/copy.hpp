// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/lanes.hpp>

#include <type_traits>
#include <utility>

/// Copies between the caller's arrays and the lanes of one block. Lane k holds state k of the block.
namespace featherline::batch {

// Arrays of states become lanes, and lanes become arrays of states, in tiles of `quad` x L::size numbers. A tile is
// transposed in registers.
//
// A wide vector is loaded in pieces of four numbers. The processor has spare time for loads. So 8 x 8 numbers need 16
// shuffles instead of 24.

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

/// Two rows exchange blocks of `block` lanes: (a0 a1, b0 b1) becomes (a0 b0, a1 b1).
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

/// Exchanges lane 4 g + j of rows[i] and lane 4 g + i of rows[j], for each group g of four lanes. A vector of two lanes
/// has one group of two.
template <class L>
[[gnu::always_inline]] inline void transpose_quads(L* rows) {
  exchange<1>(rows[0], rows[1]);
  if constexpr (quad<L> == 4) {
    exchange<1>(rows[2], rows[3]);
    exchange<2>(rows[0], rows[2]);
    exchange<2>(rows[1], rows[3]);
  }
}

/// Joins two vectors to one that is twice as long.
template <class Whole, class Half, std::size_t... j>
[[gnu::always_inline]] inline Whole join(const Half& low, const Half& high, std::index_sequence<j...>) {
#if defined(__AVX512F__) && !defined(__clang__)
  // g++ offers vinsertf64x4 from memory only under this name. Its shuffles would use the busiest unit of the processor.
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

/// A vector of `size` numbers, from pieces of `piece` numbers each. The pieces may be anywhere in memory.
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

/// Number of groups of `quad` lanes in a vector.
template <class L>
inline constexpr int groups = L::size / quad<L>;

/// Whether an array with n numbers per state is copied in whole vectors. Shorter arrays are copied number by number.
template <class L, int n>
inline constexpr bool loads_tiles = n >= quad<L>;
template <int n>
inline constexpr bool stores_tiles = n > 1;

/// Row `l` of a tile: `quad` consecutive numbers of each of the states l, l + quad, l + 2 quad ... The numbers of a
/// state begin `apart` behind those of the state before.
template <class L, class T, std::size_t... g>
[[gnu::always_inline]] inline L load_row(const T* from, std::ptrdiff_t apart, std::index_sequence<g...>) {
  const T* const pieces[] = {from + static_cast<int>(g) * quad<L> * apart...};
  return L(load_pieces<L::size, quad<L>>(pieces));
}

template <class L, class T, std::size_t... l>
[[gnu::always_inline]] inline void load_tile(const T* from, std::ptrdiff_t apart, L* lanes,
                                             std::index_sequence<l...>) {
  L rows[] = {
      load_row<L>(from + static_cast<int>(l) * apart, apart, std::make_index_sequence<groups<L>>())...};
  transpose_quads(rows);
  ((lanes[l] = rows[l]), ...);
}

/// lanes[i] gets number i of L::size states, of which each has n numbers. The last tile ends with the last number and
/// may load some earlier numbers again. So nothing outside the states is read.
template <int n, class L, class T>
[[gnu::always_inline]] inline void load_states(const T* from, std::ptrdiff_t apart, L* lanes) {
  constexpr std::make_index_sequence<quad<L>> rows;
  int i = 0;
  for (; i + quad<L> <= n; i += quad<L>) load_tile(from + i, apart, lanes + i, rows);
  if (i < n) load_tile(from + n - quad<L>, apart, lanes + n - quad<L>, rows);
}

/// Numbers i, i + quad, i + 2 quad ... of a tile, each for the `quad` states of one group.
template <class L, class Row, std::size_t... g>
[[gnu::always_inline]] inline L gather_row(const Row& row, int i, int end, int group,
                                           std::index_sequence<g...>) {
  using T = std::remove_reference_t<decltype(row(0).x[0])>;
  const int last = end - 1;
  const T* const pieces[] = {
      reinterpret_cast<const T*>(&row(least(i + static_cast<int>(g) * quad<L>, last))) + group * quad<L>...};
  return L(load_pieces<L::size, quad<L>>(pieces));
}

/// Stores the n numbers of state `l`. It stores a whole vector if a later store overwrites what goes beyond them.
template <int n, class L, class T>
[[gnu::always_inline]] inline void store_row(const L& row, int l, std::ptrdiff_t apart, T* to) {
  if (n >= L::size || (apart == n && l * n + L::size <= L::size * n)) {
    store_vector(row.x, to + l * apart);
  } else {
    std::memcpy(to + l * apart, &row, n * sizeof(T));
  }
}

/// Stores the numbers `first` to first + L::size - 1 of the states of one group, up to the last of the n numbers.
template <int n, int group, class L, class Row, class T, std::size_t... l>
[[gnu::always_inline]] inline void store_group(const Row& row, int first, std::ptrdiff_t apart, T* to,
                                               std::index_sequence<l...>) {
  L rows[] = {
      gather_row<L>(row, first + static_cast<int>(l), n, group, std::make_index_sequence<groups<L>>())...};
  transpose_quads(rows);
  (store_row<n>(rows[l], group * quad<L> + static_cast<int>(l), apart, to + first), ...);
}

template <int n, class L, class Row, class T, std::size_t... g>
[[gnu::always_inline]] inline void store_tile(const Row& row, int first, std::ptrdiff_t apart, T* to,
                                              std::index_sequence<g...>) {
  (store_group<n, static_cast<int>(g), L>(row, first, apart, to, std::make_index_sequence<quad<L>>()), ...);
}

/// The reverse of load_states. row(i) gives the lanes of number i.
template <int n, class L, class Row, class T>
[[gnu::always_inline]] inline void store_states(const Row& row, std::ptrdiff_t apart, T* to) {
  constexpr std::make_index_sequence<groups<L>> all;
  int i = 0;
  for (; i + L::size <= n; i += L::size) store_tile<n, L>(row, i, apart, to, all);
  if (i < n) store_tile<n, L>(row, n < L::size ? 0 : n - L::size, apart, to, all);
}

/// Loads the first `count` <= L::size states. The other lanes repeat the last state.
template <class L, class T>
inline void load_some(const T* from, int n, std::ptrdiff_t per_number, std::ptrdiff_t per_state, int count,
                      L* lanes) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < L::size; ++k) {
      lanes[i].x[k] = from[i * per_number + (k < count ? k : count - 1) * per_state];
    }
  }
}

template <class L, class Row, class T>
inline void store_some(const Row& row, int n, std::ptrdiff_t per_number, std::ptrdiff_t per_state, int count,
                       T* to) {
  for (int i = 0; i < n; ++i) {
    const L x = row(i);
    for (int k = 0; k < count; ++k) to[i * per_number + k * per_state] = x.x[k];
  }
}

}  // namespace featherline::batch
