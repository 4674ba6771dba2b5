// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/batch/transpose.hpp>

/// Between the caller's arrays and the lanes of one block: state k of the block is lane k.
namespace featherline::batch {

/// Groups of `quad` lanes in a vector.
template <class L>
inline constexpr int groups = L::size / quad<L>;

/// Whether an array of n numbers a state is worth whole vectors; shorter ones go number by number.
template <class L, int n>
inline constexpr bool loads_tiles = n >= quad<L>;
template <int n>
inline constexpr bool stores_tiles = n > 1;

/// Row `l` of a tile: number by number of states l, l + quad, l + 2 quad ...
template <int n, class L, class T, std::size_t... g>
[[gnu::always_inline]] inline L load_row(const T* from, std::index_sequence<g...>) {
  const T* const pieces[] = {from + static_cast<int>(g) * quad<L> * n...};
  return L(load_pieces<L::size, quad<L>>(pieces));
}

template <int n, class L, class T, std::size_t... l>
[[gnu::always_inline]] inline void load_tile(const T* from, L* lanes, std::index_sequence<l...>) {
  L rows[] = {load_row<n, L>(from + static_cast<int>(l) * n, std::make_index_sequence<groups<L>>())...};
  transpose_quads(rows);
  ((lanes[l] = rows[l]), ...);
}

/// lanes[i] = number i of L::size states that lie one after the other, n numbers each. The last tile ends with
/// the last number and may repeat some before it, so nothing outside the states is read.
template <int n, class L, class T>
[[gnu::always_inline]] inline void load_states(const T* from, L* lanes) {
  constexpr std::make_index_sequence<quad<L>> rows;
  int i = 0;
  for (; i + quad<L> <= n; i += quad<L>) load_tile<n>(from + i, lanes + i, rows);
  if (i < n) load_tile<n>(from + n - quad<L>, lanes + n - quad<L>, rows);
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

/// State `l` of n numbers: a whole vector where what it spills over is written later.
template <int n, class L, class T>
[[gnu::always_inline]] inline void store_row(const L& row, int l, T* to) {
  if (n >= L::size || l * n + L::size <= L::size * n) {
    store_vector(row.x, to + l * n);
  } else {
    std::memcpy(to + l * n, &row, n * sizeof(T));
  }
}

/// Numbers `first` to first + L::size - 1, as far as there are n, of the states of one group.
template <int n, int group, class L, class Row, class T, std::size_t... l>
[[gnu::always_inline]] inline void store_group(const Row& row, int first, T* to, std::index_sequence<l...>) {
  L rows[] = {
      gather_row<L>(row, first + static_cast<int>(l), n, group, std::make_index_sequence<groups<L>>())...};
  transpose_quads(rows);
  (store_row<n>(rows[l], group * quad<L> + static_cast<int>(l), to + first), ...);
}

template <int n, class L, class Row, class T, std::size_t... g>
[[gnu::always_inline]] inline void store_tile(const Row& row, int first, T* to, std::index_sequence<g...>) {
  (store_group<n, static_cast<int>(g), L>(row, first, to, std::make_index_sequence<quad<L>>()), ...);
}

/// The reverse of load_states; row(i) gives the lanes of number i.
template <int n, class L, class Row, class T>
[[gnu::always_inline]] inline void store_states(const Row& row, T* to) {
  constexpr std::make_index_sequence<groups<L>> all;
  int i = 0;
  for (; i + L::size <= n; i += L::size) store_tile<n, L>(row, i, to, all);
  if (i < n) store_tile<n, L>(row, n < L::size ? 0 : n - L::size, to, all);
}

/// The first `count` <= L::size states; the other lanes repeat the last one.
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
