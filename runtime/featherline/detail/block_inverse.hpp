// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/limb_lanes.hpp>
#include <featherline/prepare.hpp>

#include <cstdint>

/// M^-1 of a trunk with limbs. With t for the trunk and l for a limb, the rows of Z = M^-1 are
///
///   W = M_ll^-1 M_lt,  Z_t = (M_tt - sum over the limbs of W^T M_lt)^-1 [1, -W^T],
///   Z_l = M_ll^-1 in the columns of the limb, minus W Z_t.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// What products with M^-1 are made of (detail/block_product.hpp).
template <class Tree, class S>
struct BlockParts {
  using L = BlockLayout<Tree, S>;
  AlignedRows<L::n, S, L::trunk_count> Z_t;
  alignas(register_bytes) S own[L::limb_rows][L::own_stride];  ///< rows of M_ll^-1
  alignas(register_bytes) S W[L::limb_rows][L::trunk_stride];  ///< only if keep_W() is called
};

/// Registers that rows of blocks may fill while they are inverted side by side.
inline constexpr int registers_for_blocks = register_bytes == 64 ? 28 : 12;

/// W^T of limbs that are inverted one after the other.
template <class Tree, class S>
struct LimbRows {
  using L = BlockLayout<Tree, S>;
  alignas(register_bytes) S W_transposed[L::limb_count][L::trunk_count][block_size];

  template <int l>
  Factors<S> W() const {
    return {W_transposed[l][0] + L::first_lane(l), block_size, 1};
  }
};

template <class Tree, class S>
class BlockInverse {
 public:
  using Numbers = std::conditional_t<has_half_rows<S>, S, const S>;
  /// M is what read_blocks() gives.
  BlockInverse(Numbers* M, BlockParts<Tree, S>& parts) : M_(M), parts_(parts) {}

  void factor() {
    code_begins<Tree, S>();
    clear<trunk_count * Rows::stride>(trunk_rows_.data);
    if constexpr (has_half_rows<S>) {
      limbs_.reduce(M_, parts_.own, trunk_rows_);
    } else {
      reduce_limbs<0>();
    }
    for (int t = 0; t < trunk_count; ++t) trunk_rows_[t][L::trunk(t)] = S(-1.0);
    invert_trunk();
    code_ends<Tree, S>();
  }
  void keep_Z_t() {
    code_begins<Tree, S>();
    L::template each_few<trunk_count>([&](auto sums, int t) FEATHERLINE_INLINE_LAMBDA {
      multiply_trunk<sums>(t, [](auto, const auto&) {});
    });
    code_ends<Tree, S>();
  }
  void store(S* Minv) {
    code_begins<Tree, S>();
    L::template each_few<trunk_count>([&](auto sums, int t) FEATHERLINE_INLINE_LAMBDA {
      multiply_trunk<sums>(t, [&](auto q, const auto& z) FEATHERLINE_INLINE_LAMBDA {
        z.template store<q>(Minv + n * L::trunk(t + q));
      });
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      if constexpr (has_half_rows<S>) {
        store_right_of<l, 0>(Minv);
      } else {
        L::template each_few<L::limb(l).count>(
            [&](auto sums, int i) FEATHERLINE_INLINE_LAMBDA { store_limb<l, sums>(i, Minv); });
      }
    });
    if constexpr (has_half_rows<S>) mirror(Minv);
    code_ends<Tree, S>();
  }
  void keep_W() {
    code_begins<Tree, S>();
    if constexpr (has_half_rows<S>) {
      limbs_.store_W(parts_.W);
    } else {
      L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA { keep_W_of<l>(); });
    }
    code_ends<Tree, S>();
  }

 private:
  using L = BlockLayout<Tree, S>;
  using Rows = typename L::Rows;
  using Vector = typename L::Vector;
  using TrunkRow = typename L::TrunkRow;
  template <int l>
  using LimbBlock = DenseBlock<S, L::limb(l).count, 1, L::first_lane(l)>;
  static constexpr int n = L::n, trunk_count = L::trunk_count;

  /// The limbs from `first` up to this one are inverted side by side, because their pivots do not wait for each other.
  static constexpr int group_end(int first) {
    int end = first, rows = 0;
    while (end < L::limb_count && (end == first || rows + L::limb(end).count <= registers_for_blocks))
      rows += L::limb(end++).count;
    return end;
  }
  template <int first>
  FEATHERLINE_INLINE void reduce_limbs() {
    if constexpr (first < L::limb_count) {
      constexpr int end = group_end(first);
      reduce_group<first>(UpTo<end - first>{});
      reduce_limbs<end>();
    }
  }
  template <int first, int... k>
  FEATHERLINE_INLINE void reduce_group(std::integer_sequence<int, k...>) {
    reduce_blocks<(first + k)...>(LimbBlock<first + k>{}...);
  }
  template <int... l>
  FEATHERLINE_INLINE void reduce_blocks(LimbBlock<l>... block) {
    (load<l>(block), ...);
    each(Known<0>{}, Known<block_size>{},
         [&](auto p) FEATHERLINE_INLINE_LAMBDA { (block.eliminate(p), ...); });
    (reduce<l>(block), ...);
  }
  template <int l>
  FEATHERLINE_INLINE void load(LimbBlock<l>& block) const {
    each(Known<0>{}, Known<L::limb(l).count>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      block.x[i][0] = load_block(row<l>(i) + L::first_column(l));
    });
  }
  /// Stores M_ll^-1 and W^T of a limb.
  template <int l>
  FEATHERLINE_INLINE void reduce(LimbBlock<l>& block) {
    constexpr Limb own = L::limb(l);
    block.finish();
    each(Known<0>{}, Known<own.count>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      S* to = parts_.own[L::rows_before(l) + i];
      clear<L::own_stride>(to);
      store_block<S>(block.x[i][0], to + L::first_column(l) - L::own_begin(l));
    });
    FEATHERLINE_ROLLED
    for (int t = 0; t < own.above; ++t) {
      const S* M_tl = M_ + n * L::trunk(t) + own.begin;
      Vector x = {};
      each(Known<0>{}, Known<own.count>{},
           [&](auto i) FEATHERLINE_INLINE_LAMBDA { x += block.x[i][0] * M_tl[i]; });
      store_block<S>(x, limbs_.W_transposed[l][t]);
      // Zeros behind the limb are stored, too, before what comes there.
      S* whole = trunk_rows_[t] + L::first_column(l);
      if constexpr (L::first_lane(l) > 0) x += load_block(whole);
      store_block<S>(x, whole);
    }
  }
  FEATHERLINE_INLINE void invert_trunk() {
    DenseBlock<S, trunk_count, L::vectors_of(trunk_count), 0> block;
    if constexpr (has_half_rows<S>) {
      each(Known<0>{}, Known<trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
        each(Known<0>{}, Known<L::vectors_of(trunk_count)>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          block.x[t][v] = load_block(M_ + L::trunk_stride * t + L::width * v);
        });
      });
    } else {
      each(Known<0>{}, Known<trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
        L::template load_trunk<trunk_count>(M_ + n * L::trunk(t), block.x[t]);
      });
      L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA { subtract_limb<l>(block.x); });
    }
    each(Known<0>{}, Known<trunk_count>{}, [&](auto p) FEATHERLINE_INLINE_LAMBDA { block.eliminate(p); });
    block.finish();
    each(Known<0>{}, Known<trunk_count>{},
         [&](auto t) FEATHERLINE_INLINE_LAMBDA { L::store_trunk(block.x[t], trunk_inverse_[t]); });
  }
  template <int l>
  FEATHERLINE_INLINE void subtract_limb(TrunkRow (&x)[trunk_count]) const {
    constexpr int above = L::limb(l).above;
    FEATHERLINE_ROLLED
    for (int i = 0; i < L::limb(l).count; ++i) {
      TrunkRow M_lt;
      L::template load_trunk<above>(row<l>(i), M_lt);
      each(Known<0>{}, Known<above>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
        each(Known<0>{}, Known<L::vectors_of(above)>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          x[t][v] -= M_lt[v] * limbs_.W_transposed[l][t][L::first_lane(l) + i];
        });
      });
    }
  }
  template <int l>
  FEATHERLINE_INLINE const S* row(int i) const {
    return M_ + n * (L::limb(l).begin + i);
  }

  template <int sums, class Store>
  FEATHERLINE_INLINE void multiply_trunk(int t, const Store& store) {
    RowSums<n, S, sums> z;
    z.clear();
    z.subtract_rows(trunk_rows_, trunk_count, {trunk_inverse_[t], 1, L::trunk_stride});
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      z.template store<q>(parts_.Z_t[t + q]);
      store(q, z);
    });
  }
  template <int l, int sums>
  FEATHERLINE_INLINE void store_limb(int i, S* Minv) const {
    RowSums<n, S, sums> z;
    z.clear();
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
        z.x[q][v] = Rows::load(parts_.own[L::rows_before(l) + i + q] + at);
      });
    });
    const Factors<S> W = limbs_.template W<l>();
    z.subtract_rows(parts_.Z_t, L::limb(l).above, {W.first + W.sum * i, W.row, W.sum});
    z.store_all(Minv + n * (L::limb(l).begin + i), n);
  }

  /// Rows of a limb from i on, two at a time, without what is left of the diagonal.
  template <int l, int i>
  FEATHERLINE_INLINE void store_right_of(S* Minv) const {
    if constexpr (i < L::limb(l).count) {
      constexpr int sums = i + 1 < L::limb(l).count ? 2 : 1, row = L::limb(l).begin + i;
      const Factors<S> W = limbs_.template W<l>();
      RowSums<n, S, sums> z;
      each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
        each(Known<row / Rows::width>{}, Known<Rows::count>{},
             [&](auto v) FEATHERLINE_INLINE_LAMBDA { z.x[q][v] = Vector{}; });
        L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
          z.x[q][v] = Rows::load(parts_.own[L::rows_before(l) + i + q] + at);
        });
      });
      FEATHERLINE_ROLLED
      for (int t = 0; t < L::limb(l).above; ++t) {
        each(Known<row / Rows::width>{}, Known<Rows::count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          auto Z = Rows::load(parts_.Z_t[t] + Rows::offset(v));
          keep_in_register(Z);
          each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
            z.x[q][v] -= Z * W.first[W.row * t + W.sum * (i + q)];
          });
        });
      }
      each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
        each(Known<row / Rows::width>{}, Known<Rows::count>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
          Rows::store(z.x[q][v], Minv + n * (row + q) + Rows::offset(v));
        });
      });
      store_right_of<l, i + sums>(Minv);
    }
  }
  FEATHERLINE_INLINE static void mirror(S* Minv) {
    FEATHERLINE_ROLLED
    for (int v = 1; v < Rows::count; ++v) {
      const int row = Rows::offset(v);
      FEATHERLINE_ROLLED
      for (int column = 0; column < Rows::width * v; column += Rows::width) {
        copy_transposed(Minv + n * column + row, Minv + n * row + column, n);
      }
    }
  }

  template <int l>
  FEATHERLINE_INLINE void keep_W_of() {
    constexpr Limb own = L::limb(l);
    TrunkRow M_lt[own.count];
    each(Known<0>{}, Known<own.count>{},
         [&](auto k) FEATHERLINE_INLINE_LAMBDA { L::template load_trunk<own.above>(row<l>(k), M_lt[k]); });
    FEATHERLINE_ROLLED
    for (int i = L::rows_before(l); i < L::rows_before(l + 1); ++i) {
      const S* inverse = parts_.own[i] + (own.begin - L::own_begin(l));
      each(Known<0>{}, Known<L::vectors_of(own.above)>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        Vector x = {};
        each(Known<0>{}, Known<own.count>{},
             [&](auto k) FEATHERLINE_INLINE_LAMBDA { x += M_lt[k][v] * inverse[k]; });
        store_block<S>(x, parts_.W[i] + L::width * v);
      });
    }
  }

  Numbers* M_;
  BlockParts<Tree, S>& parts_;
  AlignedRows<n, S, trunk_count> trunk_rows_;  ///< [W^T, -1]
  std::conditional_t<has_half_rows<S>, LimbLanes<Tree, S>, LimbRows<Tree, S>> limbs_;
  alignas(register_bytes) S
      trunk_inverse_[L::trunk_stride][L::trunk_stride];  ///< rows behind are zero in vectors
};

/// Whether M^-1 is computed by blocks.
template <class Tree, class S>
constexpr bool has_blocks() {
  constexpr bool has_vectors = PackOf<S>::width >= block_size || has_half_rows<S>;
  if constexpr (!has_vectors || Tree::nv < block_size || Tree::nv > most_block_coordinates) {
    return false;
  } else {
    return limb_blocks<Tree>.exist;
  }
}

template <class Tree, class S>
constexpr bool has_lanes_of_limbs() {
  if constexpr (has_half_rows<S>) {
    return has_blocks<Tree, S>();
  } else {
    return false;
  }
}

/// Zeros of M that rows of blocks take part of.
template <class Tree, class S>
FEATHERLINE_INLINE void clear_beside_blocks([[maybe_unused]] S* M) {
  if constexpr (!has_half_rows<S>) {
    using L = BlockLayout<Tree, S>;
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      for (int i = 0; i < L::limb(l).count; ++i)
        store_block<S>(typename L::Vector{}, M + L::n * (L::limb(l).begin + i) + L::first_column(l));
    });
  }
}

/// Minv = M^-1. `keep` says that products will be computed from the parts.
template <class Tree, bool keep, class Matrix, class S>
FEATHERLINE_INLINE void invert_by_blocks(Matrix&& M, S* Minv, BlockParts<Tree, S>& parts) {
  read_blocks<Tree, S>(M, [&](auto* numbers) FEATHERLINE_INLINE_LAMBDA {
    BlockInverse<Tree, S> inverse(numbers, parts);
    inverse.factor();
    if constexpr (keep) inverse.keep_W();
    inverse.store(Minv);
  });
}

/// The parts in an array of size_of_parts() numbers.
template <class Tree, class S>
FEATHERLINE_INLINE BlockParts<Tree, S>& block_parts(S* numbers) {
  using Parts = BlockParts<Tree, S>;
  constexpr std::uintptr_t alignment = alignof(Parts);
  static_assert(static_cast<int>((sizeof(Parts) + alignment) / sizeof(S)) <=
                size_of_parts(limb_blocks<Tree>, Tree::nv));
  const auto address = reinterpret_cast<std::uintptr_t>(numbers);
  return *reinterpret_cast<Parts*>((address + alignment - 1) / alignment * alignment);
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
