// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/limb_blocks.hpp>
#include <featherline/detail/row_vectors.hpp>

#include <type_traits>

/// Dense symmetric matrices in registers.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Whether a register has half the numbers of a block's row. Limbs are then computed in lanes (detail/limb_lanes.hpp).
template <class S>
inline constexpr bool has_half_rows = register_bytes == 32 && 2 * PackOf<S>::width == block_size;

/// Numbers in a vector of rows of the trunk, and of rows of limbs that are not computed in lanes.
template <class S>
inline constexpr int block_width = has_half_rows<S> ? PackOf<S>::width : block_size;
template <class S>
using BlockVector = typename VectorOf<S, block_width<S>>::type;

template <class S>
FEATHERLINE_INLINE BlockVector<S> load_block(const S* from) {
  return load_vector<block_width<S>>(from);
}
template <class S>
FEATHERLINE_INLINE void store_block(const BlockVector<S>& x, S* to) {
  store_vector<block_width<S>>(x, to);
}

/// Numbers that are read one by one after this are read from memory. Multiplications do that for nothing. Otherwise
/// compilers take the numbers out of the vector that was written.
template <class Numbers>
FEATHERLINE_INLINE void keep_in_memory([[maybe_unused]] Numbers& x) {
#if defined(__GNUC__)
  asm("" : "+m"(x));
#endif
}

/// Vectors of zeros and ones are read from these numbers.
template <class S>
struct LaneConstants {
  static constexpr int middle = 2 * block_size;
  S from_middle[2 * middle] = {}, at_middle[2 * middle] = {};

  constexpr LaneConstants() {
    for (int k = middle; k < 2 * middle; ++k) from_middle[k] = S(1.0);
    at_middle[middle] = S(1.0);
  }
  /// Vector v of a row with ones behind number k, or with a one there.
  static BlockVector<S> behind(int k, int v);
  static BlockVector<S> at(int k, int v);
};
template <class S>
inline constexpr LaneConstants<S> lane_constants{};

template <class S>
FEATHERLINE_INLINE BlockVector<S> LaneConstants<S>::behind(int k, int v) {
  return load_block(lane_constants<S>.from_middle + middle - 1 - k + block_width<S> * v);
}
template <class S>
FEATHERLINE_INLINE BlockVector<S> LaneConstants<S>::at(int k, int v) {
  return load_block(lane_constants<S>.at_middle + middle - k + block_width<S> * v);
}

/// The matrix begins at column `first` of its rows. It becomes its inverse by Gauss-Jordan elimination, one step for
/// each pivot. The matrices of inertias are positive definite, so the pivots are on the diagonal.
///
/// The elimination keeps columns of pivots that had their turn multiplied by their pivots. So a row is subtracted as a
/// whole: twice the pivot stands on its diagonal. What remains is symmetric, but for these multiples and for signs. So
/// the numbers that the row is multiplied with are those of the row itself.
template <class S, int count, int vectors, int first>
class DenseBlock {
 public:
  using Vector = BlockVector<S>;

  Vector x[count][vectors];

  template <class Pivot>
  FEATHERLINE_INLINE void eliminate(Pivot) {
    if constexpr (Pivot::value < count) {
      constexpr int p = Pivot::value, at = first + p, own = at / block_width<S>;
      const S inverse = S(1.0) / x[p][own][at % block_width<S>];
      alignas(register_bytes) S factors[vectors * block_width<S>];
      Vector row[vectors];
      each(Known<0>{}, Known<vectors>{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA {
        store_block<S>(x[p][v] * (minus_inverse_[v] + LaneConstants<S>::behind(at - 1, v)),
                       factors + block_width<S> * v);
        row[v] = (v == own ? x[p][v] + x[p][v] * LaneConstants<S>::at(at, v) : x[p][v]) * inverse;
        x[p][v] *= inverse;
      });
      keep_in_memory(factors);
      subtract(row, factors, Known<p>{});
      minus_inverse_[own] -= LaneConstants<S>::at(at, own) * inverse;
    }
  }
  /// Numbers beside the matrix are multiplied by zero. They have to be finite, as those of M are:
  /// unrolled_inverse::clear_inertia() has made them zero.
  FEATHERLINE_INLINE void finish() {
    each(Known<0>{}, Known<count>{}, [&](auto i) FEATHERLINE_INLINE_LAMBDA {
      each(Known<0>{}, Known<vectors>{},
           [&](auto v) FEATHERLINE_INLINE_LAMBDA { x[i][v] *= -minus_inverse_[v]; });
    });
  }

 private:
  static constexpr bool differ(int i, int p) { return i != p; }

  template <class Pivot>
  FEATHERLINE_INLINE void subtract(const Vector (&row)[vectors], const S* factors, Pivot p) {
    each<differ>(
        Known<0>{}, Known<count>{},
        [&](auto i) FEATHERLINE_INLINE_LAMBDA {
          each(Known<0>{}, Known<vectors>{},
               [&](auto v) FEATHERLINE_INLINE_LAMBDA { x[i][v] -= row[v] * factors[first + i]; });
        },
        p);
  }

  Vector minus_inverse_[vectors] = {};  ///< of the pivots that had their turn
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
