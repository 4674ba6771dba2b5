// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/dense_block.hpp>

/// How rows of a trunk and of limbs lie in vectors. All of it is known at compile time.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class Tree>
constexpr LimbBlocks make_limb_blocks() {
  return limb_blocks_of(Tree::nv,
                        [](int i, int k) { return relations<Tree, fills_factor<Tree>()>.related[i][k]; });
}
template <class Tree>
inline constexpr LimbBlocks limb_blocks = make_limb_blocks<Tree>();

template <class Tree, class S>
struct BlockLayout {
  static constexpr int n = Tree::nv;
  using Rows = RowVectors<n, S>;
  using Vector = BlockVector<S>;

  static constexpr Limb limb(int l) { return limb_blocks<Tree>.limbs[l]; }
  static constexpr int limb_count = limb_blocks<Tree>.limb_count;

  template <class Visit>
  FEATHERLINE_INLINE static void each_limb(const Visit& visit) {
    each(Known<0>{}, Known<limb_count>{}, visit);
  }

  // Rows of a limb. Arrays have those of all limbs, without the trunk's.

  static constexpr int rows_before(int l) {
    int rows = 0;
    for (int k = 0; k < l; ++k) rows += limb(k).count;
    return rows;
  }
  static constexpr int limb_rows = rows_before(limb_count);

  /// A vector that begins with the limb's coordinates may reach beyond the row. Then it begins earlier.
  static constexpr int first_column(int l) {
    return limb(l).begin + block_size > n ? n - block_size : limb(l).begin;
  }
  static constexpr int first_lane(int l) { return limb(l).begin - first_column(l); }

  /// Vectors of a whole row that hold coordinates of the limb. Its own rows are kept in these vectors.
  static constexpr bool is_own(int v, int l) {
    return Rows::offset(v) < limb(l).begin + limb(l).count && Rows::offset(v) + Rows::width > limb(l).begin;
  }
  /// Where its first vector or its block begins: vectors of fewer numbers may begin behind the block.
  static constexpr int own_begin(int l) {
    int v = 0;
    while (!is_own(v, l)) ++v;
    return Rows::offset(v) < first_column(l) ? Rows::offset(v) : first_column(l);
  }
  static constexpr int find_own_stride() {
    int most = 0;
    for (int l = 0; l < limb_count; ++l) {
      const int block_end = has_half_rows<S> ? 0 : first_column(l) + block_size;  // lanes have no blocks
      for (int v = 0; v < Rows::count; ++v) {
        const int vector_end = Rows::offset(v) + Rows::width;
        const int end = is_own(v, l) && vector_end > block_end ? vector_end : block_end;
        if (most < end - own_begin(l)) most = end - own_begin(l);
      }
    }
    return (most + block_size - 1) / block_size * block_size;
  }
  static constexpr int own_stride = find_own_stride();
  /// Calls visit(v, place of the vector in the limb's own rows).
  template <int l, class Visit>
  FEATHERLINE_INLINE static void each_own(const Visit& visit) {
    each<is_own>(
        Known<0>{}, Known<Rows::count>{},
        [&](auto v) FEATHERLINE_INLINE_LAMBDA { visit(v, Rows::offset(v) - own_begin(l)); }, Known<l>{});
  }

  // Rows of the trunk.

  static constexpr int trunk(int t) { return limb_blocks<Tree>.trunk[t]; }
  static constexpr int trunk_count = limb_blocks<Tree>.trunk_count;
  static constexpr int width = block_width<S>;
  static constexpr int vectors_of(int coordinates) { return (coordinates + width - 1) / width; }
  static constexpr int trunk_stride = vectors_of(trunk_count) * width;
  using TrunkRow = Vector[trunk_stride / width];

  /// The numbers of the first `above` coordinates of the trunk, from a row of all. The rest is zero.
  template <int above>
  FEATHERLINE_INLINE static void load_trunk(const S* row, TrunkRow& x) {
    each(Known<0>{}, Known<vectors_of(above)>{},
         [&](auto v) FEATHERLINE_INLINE_LAMBDA { x[v] = trunk_vector<v, above>(row); });
  }
  FEATHERLINE_INLINE static void store_trunk(const TrunkRow& x, S* to) {
    each(Known<0>{}, Known<vectors_of(trunk_count)>{},
         [&](auto v) FEATHERLINE_INLINE_LAMBDA { store_block<S>(x[v], to + width * v); });
  }
  /// Whether columns are apart, or other limbs hang on coordinate t of the trunk than on the one before it.
  static constexpr bool begins_run(int t) {
    if (t == 0 || distance(t) != distance(t - 1)) return true;
    for (int l = 0; l < limb_count; ++l) {
      if (limb(l).above == t) return true;
    }
    return false;
  }
  static constexpr int length_of_run(int t) {
    int end = t + 1;
    while (end < trunk_count && !begins_run(end)) ++end;
    return end - t;
  }

  // Several sums share a pass over rows.

  static constexpr int sums_of(int count) {
    int best = 1;
    for (int sums = 2; sums <= 4; ++sums) {
      const bool fewer = count / sums + count % sums < count / best + count % best;
      if (sums * Rows::count <= registers_for_sums && fewer) best = sums;
    }
    return best;
  }
  /// Calls visit(sums, k) for the numbers before `count`, several at once.
  template <int count, class Visit>
  FEATHERLINE_INLINE static void each_few(const Visit& visit) {
    constexpr int sums = sums_of(count);
    int k = 0;
    FEATHERLINE_ROLLED
    for (; k + sums <= count; k += sums) visit(Known<sums>{}, k);
    if constexpr (count % sums != 0) {
      FEATHERLINE_ROLLED
      for (; k < count; ++k) visit(Known<1>{}, k);
    }
  }

 private:
  static constexpr int distance(int t) { return trunk(t) - t; }
  /// Coordinates of the trunk that follow each other are read together.
  static constexpr bool begins_part(int t) { return t % width == 0 || distance(t) != distance(t - 1); }
  static constexpr bool is_in_part(int other, int t, int end) {
    return t <= other && other < end && distance(other) == distance(t);
  }
  template <int v, int above>
  FEATHERLINE_INLINE static Vector trunk_vector(const S* row) {
    constexpr int begin = width * v, end = above < begin + width ? above : begin + width;
    Vector sum = {};
    each<begins_part>(Known<begin>{}, Known<end>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
      const Vector x = load_block(row + begin + distance(t));
      put_lanes<t, begin, end>(x, sum);
    });
    return sum;
  }
  /// Lanes are coordinates of the trunk from `begin` on.
  template <int t, int begin, int end, class Lanes>
  FEATHERLINE_INLINE static void put_lanes(const Lanes& x, Lanes& sum) {
    using Bits = decltype(x == x);
    constexpr int count = sizeof(Lanes) / sizeof(S);
    sum = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(sum) |
                                  (reinterpret_cast<Bits>(x) & lanes_of<t, begin, end, Bits>(UpTo<count>{})));
  }
  template <int t, int begin, int end, class Bits, int... lane>
  FEATHERLINE_INLINE static Bits lanes_of(std::integer_sequence<int, lane...>) {
    return Bits{(is_in_part(begin + lane, t, end) ? -1 : 0)...};
  }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
