// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/block_inverse.hpp>
#include <featherline/prepare.hpp>

/// Products with the inverse of a trunk with limbs (detail/block_inverse.hpp). If b is zero in all limbs but one,
///
///   M^-1 b = M_ll^-1 b_l in the rows of the limb, plus Z_t^T (b_t - W^T b_l).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class Tree, class S>
class BlockProduct {
 public:
  explicit BlockProduct(const BlockParts<Tree, S>& parts) : parts_(parts) {}

  /// to = -M^-1 B. Columns before `first` are not valid. B may be `to`.
  FEATHERLINE_INLINE void negative(const S* B, int first, S* to) const {
    each<L::begins_run>(Known<0>{}, Known<L::trunk_count>{}, [&](auto t) FEATHERLINE_INLINE_LAMBDA {
      constexpr int begin = L::trunk(t);
      L::template each_few<L::length_of_run(t)>([&](auto sums, int k) FEATHERLINE_INLINE_LAMBDA {
        if (begin + k + sums > first) multiply_trunk<t, sums>(begin + k, B, to);
      });
    });
    L::each_limb([&](auto l) FEATHERLINE_INLINE_LAMBDA {
      constexpr int begin = L::limb(l).begin;
      L::template each_few<L::limb(l).count>([&](auto sums, int k) FEATHERLINE_INLINE_LAMBDA {
        if (begin + k + sums > first) multiply_limb<l, sums>(begin + k, B, to);
      });
    });
  }

 private:
  using L = BlockLayout<Tree, S>;
  using Rows = typename L::Rows;
  static constexpr int n = L::n;

  /// Columns that are computed together: of the product, and b_t - W^T b_l.
  template <int sums>
  struct Columns {
    RowSums<n, S, sums> x;
    typename L::TrunkRow trunk[sums] = {};
  };

  static constexpr bool is_below(int l, int t) { return L::limb(l).above > t; }

  template <int t, int sums>
  FEATHERLINE_INLINE void multiply_trunk(int column, const S* B, S* to) const {
    const S* b = B + n * column;
    Columns<sums> columns;
    begin<L::trunk_count>(b, columns);
    each<is_below>(
        Known<0>{}, Known<L::limb_count>{},
        [&](auto l) FEATHERLINE_INLINE_LAMBDA { add_limb<l>(b, columns); }, Known<t>{});
    end<L::trunk_count>(columns, to + n * column);
  }
  template <int l, int sums>
  FEATHERLINE_INLINE void multiply_limb(int column, const S* B, S* to) const {
    const S* b = B + n * column;
    Columns<sums> columns;
    begin<L::limb(l).above>(b, columns);
    add_limb<l>(b, columns);
    end<L::limb(l).above>(columns, to + n * column);
  }

  template <int above, int sums>
  FEATHERLINE_INLINE static void begin(const S* b, Columns<sums>& columns) {
    columns.x.clear();
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      L::template load_trunk<above>(b + n * q, columns.trunk[q]);
    });
  }
  template <int l, int sums>
  FEATHERLINE_INLINE void add_limb(const S* b, Columns<sums>& columns) const {
    const S* b_l = b + L::limb(l).begin;
    FEATHERLINE_ROLLED
    for (int i = 0; i < L::limb(l).count; ++i) {
      const int row = L::rows_before(l) + i;
      each(Known<0>{}, Known<L::vectors_of(L::limb(l).above)>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        auto W = load_block(parts_.W[row] + L::width * v);
        keep_in_register(W);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { columns.trunk[q][v] -= W * b_l[n * q + i]; });
      });
      L::template each_own<l>([&](auto v, int at) FEATHERLINE_INLINE_LAMBDA {
        auto own = Rows::load(parts_.own[row] + at);
        keep_in_register(own);
        each(Known<0>{}, Known<sums>{},
             [&](auto q) FEATHERLINE_INLINE_LAMBDA { columns.x.x[q][v] -= own * b_l[n * q + i]; });
      });
    }
  }
  /// All that is read of these columns is read before they are written.
  template <int above, int sums>
  FEATHERLINE_INLINE void end(Columns<sums>& columns, S* to) const {
    alignas(register_bytes) S factors[sums * L::trunk_stride];
    each(Known<0>{}, Known<sums>{}, [&](auto q) FEATHERLINE_INLINE_LAMBDA {
      L::store_trunk(columns.trunk[q], factors + L::trunk_stride * q);
    });
    columns.x.subtract_rows(parts_.Z_t, above, {factors, 1, L::trunk_stride});
    columns.x.store_all(to, n);
  }

  const BlockParts<Tree, S>& parts_;
};

/// to = -M^-1 B. It is a function of its own, so that two products share its code.
template <class Tree, class S>
FEATHERLINE_NOINLINE void negative_block_product(const BlockParts<Tree, S>& parts, const S* B, int first,
                                                 S* to) {
  code_begins<Tree, S>();
  BlockProduct<Tree, S>(parts).negative(B, first, to);
  code_ends<Tree, S>();
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
