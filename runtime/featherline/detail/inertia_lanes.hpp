// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/block_layout.hpp>
#include <featherline/lanes.hpp>

#include <type_traits>

/// M of a trunk with limbs, as limb_lanes.hpp reads it: emitted code writes each number to its lane, and does not store
/// what is not read.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Limb l is lane l % lanes of group l / lanes. Rows of M_tt come first. Behind them, each group has M_ll, on and below
/// the diagonal, and M_tl: a vector for each entry.
template <class Tree, class S>
struct LaneLayout {
  using L = BlockLayout<Tree, S>;
  static constexpr int n = L::n, lanes = 4, groups = (L::limb_count + lanes - 1) / lanes;

  static constexpr int most(int g, short Limb::*number) {
    int most = 0;
    for (int l = lanes * g; l < L::limb_count && l < lanes * (g + 1); ++l)
      most = L::limb(l).*number > most ? L::limb(l).*number : most;
    return most;
  }
  static constexpr int size(int g) { return most(g, &Limb::count); }
  static constexpr int above(int g) { return most(g, &Limb::above); }

  static constexpr int begin(int g) {
    int begin = L::trunk_stride * L::trunk_stride;
    for (int k = 0; k < g; ++k) begin += lanes * size(k) * (size(k) + 1) / 2 + lanes * size(k) * above(k);
    return begin;
  }
  static constexpr int in_limb(int g, int i, int j) { return begin(g) + lanes * (i * (i + 1) / 2 + j); }
  static constexpr int in_trunk(int g, int t, int j) {
    return in_limb(g, size(g), 0) + lanes * (size(g) * t + j);
  }
  static constexpr int numbers = begin(groups);

  struct Places {
    short of[n * n] = {};        ///< -1: not read
    short stored[numbers] = {};  ///< the entries that are read, and not zero for all positions
    int stored_count = 0;
    bool is_filled[numbers / lanes] = {};
    bool is_one[numbers] = {};  ///< on the diagonal of limbs that are shorter than the longest one

    constexpr Places() {
      bool is_stored[numbers] = {};
      for (int k = 0; k < n * n; ++k) of[k] = -1;
      for (int t = 0; t < L::trunk_count; ++t) {
        for (int u = 0; u < L::trunk_count; ++u)
          if (u / lanes <= t / lanes) put(L::trunk(t), L::trunk(u), L::trunk_stride * t + u, is_stored);
        for (int l = 0; l < L::limb_count; ++l) {
          for (int j = 0; j < L::limb(l).count && t < L::limb(l).above; ++j)
            put(L::trunk(t), L::limb(l).begin + j, in_trunk(l / lanes, t, j) + l % lanes, is_stored);
        }
      }
      for (int l = 0; l < lanes * groups; ++l) {
        for (int i = 0; i < size(l / lanes); ++i) {
          const bool exists = l < L::limb_count && i < L::limb(l < L::limb_count ? l : 0).count;
          if (!exists) is_one[in_limb(l / lanes, i, i) + l % lanes] = true;
          for (int j = 0; j <= i && exists; ++j)
            put(L::limb(l).begin + i, L::limb(l).begin + j, in_limb(l / lanes, i, j) + l % lanes, is_stored);
        }
      }
      for (int v = 0; v < numbers / lanes; ++v) {
        const int t = lanes * v / L::trunk_stride, u = lanes * v % L::trunk_stride;
        is_filled[v] = is_stored[lanes * v] && is_stored[lanes * v + 1] && is_stored[lanes * v + 2] &&
                       is_stored[lanes * v + 3];
        if (t < L::trunk_stride && u / lanes > t / lanes) is_filled[v] = true;  // mirrored later
      }
    }

   private:
    constexpr void put(int i, int j, int place, bool (&is_stored)[numbers]) {
      of[n * i + j] = static_cast<short>(place);
      is_stored[place] = relations<Tree, false>.related[i][j];
      if (is_stored[place]) stored[stored_count++] = static_cast<short>(n * i + j);
    }
  };
  static constexpr bool is_not_filled(int v);
  static constexpr bool is_one(int k);
};
template <class Tree, class S>
inline constexpr typename LaneLayout<Tree, S>::Places lane_places{};

template <class Tree, class S>
constexpr bool LaneLayout<Tree, S>::is_not_filled(int v) {
  return !lane_places<Tree, S>.is_filled[v];
}
template <class Tree, class S>
constexpr bool LaneLayout<Tree, S>::is_one(int k) {
  return lane_places<Tree, S>.is_one[k];
}

template <class Tree, class S>
class InertiaInLanes {
  using Layout = LaneLayout<Tree, S>;
  static constexpr const typename Layout::Places& places = lane_places<Tree, S>;

 public:
  /// An entry, or where entries begin.
  struct Place {
    S* numbers;
    int entry;

    FEATHERLINE_INLINE void operator=(const S& x) const {
      if (places.of[entry] >= 0) numbers[places.of[entry]] = x;
    }
    FEATHERLINE_INLINE Place operator+(int k) const { return {numbers, entry + k}; }
    /// As the function of lanes.hpp.
    template <int k, class... More>
    FEATHERLINE_INLINE friend void scatter(const Place& to, int stride, const Lanes<S, k>& a,
                                           const More&... more) {
      const int place = places.of[to.entry];
      if (place >= 0 && to.are_adjacent(stride, UpTo<k>{})) {
        a.store(to.numbers + place);
      } else {
        each(Known<0>{}, Known<k>{}, [&](auto l) FEATHERLINE_INLINE_LAMBDA { to + stride* l = a[l]; });
      }
      if constexpr (sizeof...(more) > 0) scatter(to + 1, stride, more...);
    }

   private:
    template <int... l>
    FEATHERLINE_INLINE bool are_adjacent(int stride, std::integer_sequence<int, l...>) const {
      return ((places.of[entry + stride * l] == places.of[entry] + l) && ...);
    }
  };

  FEATHERLINE_INLINE Place operator[](int entry) { return {numbers, entry}; }
  FEATHERLINE_INLINE Place operator+(int entry) { return {numbers, entry}; }
  /// Where nothing is stored, there are zeros, and ones on the diagonal.
  FEATHERLINE_INLINE void clear() {
    constexpr int vectors = Layout::numbers / Layout::lanes,
                  together = 16;  // clang has no longer lists than 256
    each(Known<0>{}, Known<(vectors + together - 1) / together>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA {
      constexpr int begin = together * k, end = begin + together < vectors ? begin + together : vectors;
      each<Layout::is_not_filled>(Known<begin>{}, Known<end>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        Pack<S> x = {};
        each<Layout::is_one>(Known<Layout::lanes * v>{}, Known<Layout::lanes*(v + 1)>{},
                             [&](auto i) FEATHERLINE_INLINE_LAMBDA { x[i % Layout::lanes] = S(1.0); });
        store_pack<S>(x, numbers + Layout::lanes * v);
      });
    });
  }
  void assign(const S* M) {
    clear();
    for (int k = 0; k < places.stored_count; ++k) numbers[places.of[places.stored[k]]] = M[places.stored[k]];
  }

  alignas(register_bytes) S numbers[Layout::numbers];
};

/// visit() gets the numbers of M as blocks are read. In lanes, M_tt is lost.
template <class Tree, class S, class Visit>
FEATHERLINE_INLINE void read_blocks(InertiaInLanes<Tree, S>& M, const Visit& visit) {
  visit(M.numbers);
}
template <class Tree, class S, class Visit>
FEATHERLINE_INLINE void read_blocks(const S* M, const Visit& visit) {
  if constexpr (has_half_rows<S>) {
    InertiaInLanes<Tree, S> in_lanes;
    in_lanes.assign(M);
    visit(in_lanes.numbers);
  } else {
    visit(M);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
