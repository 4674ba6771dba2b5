// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/inertia_factor.hpp>
#include <featherline/detail/pack.hpp>
#include <featherline/detail/second_order_loops.hpp>
#include <featherline/prepare.hpp>

/// Loops over packs for matrices that have the zeros of a branching tree, and for M^-1.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// One of N coordinates.
template <int N>
using Coordinate = std::conditional_t<(N != unknown && N < 256), unsigned char, short>;

/// Indices of coordinates, in ascending order.
template <int N>
struct Indices {
  const Coordinate<N>* list;
  int count;

  int operator[](int m) const { return list[m]; }
};

template <class Tree>
constexpr int known_nv() {
  if constexpr (is_known_tree<Tree>) {
    return Tree::nv;
  } else {
    return unknown;
  }
}
constexpr int square_or_unknown(int n) { return n == unknown ? unknown : n * n; }

/// Which zeros a pattern describes.
enum class ZerosOf { tree, factor };

template <class Tree, ZerosOf zeros>
class TreePattern : Extent<known_nv<Tree>()> {
  using Count = Extent<known_nv<Tree>()>;
  static constexpr int known = known_nv<Tree>(), square = square_or_unknown(known);

 public:
  explicit constexpr TreePattern(const Tree& tree)
      : Count(tree.nv), entries_(tree.nv * tree.nv), counts_(tree.nv) {
    const int n = tree.nv;
    ZeroedRoom<char, square> on_a_path(n * n);
    for (int p = 0; p < tree.num_axes; ++p) {
      for (int t = p; t >= 0; t = tree.axes[t].parent) {
        for (int c = 0; c < tree.axes[t].count; ++c) {
          const int j = tree.axes[p].idx_v, k = tree.axes[tree.axes[t].first + c].idx_v;
          on_a_path.data[n * j + k] = on_a_path.data[n * k + j] = 1;
        }
      }
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        const bool related = on_a_path.data[n * k + i] != 0;
        const bool is_listed = zeros == ZerosOf::tree ? related : i < k && (related || tree.coupled);
        if (is_listed) entries_.data[n * k + counts_.data[k]++] = static_cast<Coordinate<known>>(i);
      }
    }
  }

  /// Of a tree: the coordinates that lie on a common path from the root with k, and k itself. If j and k lie on no
  /// common path, M(j, k), d tau_j / d q_k and T(., j, k) are zero.
  Indices<known> related(int k) const { return (*this)[k]; }
  /// Of a factor: the coordinates before k at which row k of L in M = L^T D L may differ from zero. The zeros between
  /// branches stay (Featherstone, RBDA section 6.5). If joints share coordinates, all of L is taken to be nonzero.
  Indices<known> before(int k) const { return (*this)[k]; }

 private:
  Indices<known> operator[](int k) const { return {entries_.data + Count::value * k, counts_.data[k]}; }

  ZeroedRoom<Coordinate<known>, square> entries_;
  ZeroedRoom<Coordinate<known>, known> counts_;
};

/// Up to this number of coordinates the compiler computes the pattern. It is then part of the code, and the generator
/// counts its bytes (bytes_of_pattern()).
inline constexpr int max_constant_pattern = 40;

/// The compiler computes the pattern of a robot of usual size. At run time it would take 2 us for 38 coordinates, half
/// as long as M^-1. For a larger robot each call computes the pattern. That takes n^2 steps, and the inverse and the
/// products take n^3. g++ 12 would need 7 s to compile the pattern of 64 coordinates, and compilers limit constant
/// expressions.
template <class Tree, ZerosOf zeros>
inline constexpr TreePattern<Tree, zeros> constant_pattern{Tree{}};
template <class Tree>
constexpr bool has_constant_pattern() {
  return known_nv<Tree>() != unknown && known_nv<Tree>() <= max_constant_pattern;
}
template <ZerosOf zeros, class Tree>
std::conditional_t<has_constant_pattern<Tree>(), const TreePattern<Tree, zeros>&, TreePattern<Tree, zeros>>
pattern_of([[maybe_unused]] const Tree& tree) {
  if constexpr (has_constant_pattern<Tree>()) {
    return constant_pattern<Tree, zeros>;
  } else {
    return TreePattern<Tree, zeros>(tree);
  }
}

/// The columns of an N x N matrix, each in whole packs.
template <int N, class S>
struct Columns : Extent<padded_or_unknown<S>(N)> {
  using Stride = Extent<padded_or_unknown<S>(N)>;
  const S* data;

  Columns(const S* first, int n) : Stride(padded<S>(n)), data(first) {}
  constexpr int stride() const { return Stride::value; }
};

/// An N x N matrix whose columns fill whole packs.
template <int N, class S>
class PaddedMatrix : Extent<N> {
 public:
  explicit PaddedMatrix(int n) : Extent<N>(n), room_(n * padded<S>(n)) {}

  constexpr int n() const { return Extent<N>::value; }
  constexpr int stride() const { return padded<S>(n()); }
  S* column(int c) { return room_.data + c * stride(); }
  const S* column(int c) const { return room_.data + c * stride(); }
  Columns<N, S> columns() const { return {room_.data, n()}; }

  void assign(const S* A) {
    for (int c = 0; c < n(); ++c) {
      for (int r = 0; r < n(); ++r) column(c)[r] = A[c * n() + r];
    }
    clear_padding();
  }
  void clear() {
    for (int k = 0; k < n() * stride(); ++k) room_.data[k] = S(0);
  }
  void clear_padding() {
    for (int c = 0; c < n(); ++c) {
      for (int r = n(); r < stride(); ++r) column(c)[r] = S(0);
    }
  }
  void copy_to(S* A) const {
    for (int c = 0; c < n(); ++c) {
      for (int r = 0; r < n(); ++r) A[c * n() + r] = column(c)[r];
    }
  }

 private:
  Room<S, N == unknown ? unknown : N * padded_or_unknown<S>(N)> room_;
};

/// A column of it.
template <int N, class S>
using PaddedColumn = Room<S, padded_or_unknown<S>(N)>;

/// Computes one pack of the sum of A(:, k) b[k] over the listed k. The pack begins at row `row`.
template <int N, class S>
inline void combine_pack(Columns<N, S> A, const S* b, const Indices<N>& list, int row, S* to) {
  const int stride = A.stride();
  Pack<S> x = load_pack(A.data + list[0] * stride + row) * b[list[0]];
  const int end = N != 1 ? list.count : 1;  // the same, so that g++ 12 sees no read beyond a list of one
  for (int m = 1; m < end; ++m) x = x + load_pack(A.data + list[m] * stride + row) * b[list[m]];
  store_pack<S>(x, to + row);
}

/// The same for four packs. Their sums do not wait for each other. They have four names because g++ 12 would keep an
/// array in memory.
template <int N, class S>
inline void combine_four_packs(Columns<N, S> A, const S* b, const Indices<N>& list, int row, S* to) {
  constexpr int width = PackOf<S>::width;
  const int stride = A.stride();
  const S* first = A.data + list[0] * stride + row;
  Pack<S> x0 = load_pack(first) * b[list[0]], x1 = load_pack(first + width) * b[list[0]],
          x2 = load_pack(first + 2 * width) * b[list[0]], x3 = load_pack(first + 3 * width) * b[list[0]];
  const int end = N != 1 ? list.count : 1;
  for (int m = 1; m < end; ++m) {
    const S* column = A.data + list[m] * stride + row;
    const S factor = b[list[m]];
    x0 = x0 + load_pack(column) * factor;
    x1 = x1 + load_pack(column + width) * factor;
    x2 = x2 + load_pack(column + 2 * width) * factor;
    x3 = x3 + load_pack(column + 3 * width) * factor;
  }
  store_pack<S>(x0, to + row);
  store_pack<S>(x1, to + row + width);
  store_pack<S>(x2, to + row + 2 * width);
  store_pack<S>(x3, to + row + 3 * width);
}

/// to = A b. b is zero outside the listed entries, and the list has at least one entry. `to` has room for whole packs.
template <class Tree, int N, class S>
inline void combine(Columns<N, S> A, const S* b, const Indices<N>& list, S* to) {
  code_begins<Tree, S, false>();
  constexpr int width = PackOf<S>::width;
  int row = 0;
  for (; row + 4 * width <= A.stride(); row += 4 * width) combine_four_packs(A, b, list, row, to);
  for (; row < A.stride(); row += width) combine_pack(A, b, list, row, to);
  code_ends<Tree, S>();
}

/// to = -A B, without the columns before `first`. B has the zeros of a branching tree, and may be `to`.
template <class Tree, ZerosOf zeros, int N, class S>
inline void negative_product(const PaddedMatrix<N, S>& A, const TreePattern<Tree, zeros>& pattern, const S* B,
                             int first, S* to) {
  code_begins<Tree, S>();
  const int n = A.n();
  PaddedColumn<N, S> x(A.stride());
  for (int c = first; c < n; ++c) {
    combine<Tree>(A.columns(), B + n * c, pattern.related(c), x.data);
    for (int r = 0; r < n; ++r) to[n * c + r] = -x.data[r];
  }
  code_ends<Tree, S>();
}

/// Columns of da/dq and da/dv that need no product: those of a floating base's coordinates, and of its translation.
inline constexpr int known_columns_dq = 6, known_columns_dv = 3;
/// Of these columns: the three rows of three rotations and of three translations that are not zero.
inline constexpr int num_base_entries = 18;

/// Writes the columns of da/dq and da/dv that are known. `base` has their rows that are not zero, the first three, of
/// the base's rotations in da/dq and of its translations in da/dv, column by column.
template <class S>
inline void put_base_columns(int n, const S* base, S* dq, S* dv) {
  for (int k = 0; k < n * known_columns_dq; ++k) dq[k] = S(0.0);
  for (int k = 0; k < n * known_columns_dv; ++k) dv[k] = S(0.0);
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      dq[n * (3 + c) + r] = base[3 * c + r];
      dv[n * c + r] = base[9 + 3 * c + r];
    }
  }
}

/// The operations that algebra/inertia_factor.hpp needs. Whole rows are subtracted: to subtract zeros costs less than
/// to look up indices. Numbers that this writes above the diagonal are never read.
template <class Tree, int N, class S>
struct PackOps {
  static void subtract(const S* row, const S& l, S* to, int count) {
    for (int j = 0; j < count; j += PackOf<S>::width) {
      const Pack<S> x = load_pack(to + j) - load_pack(row + j) * l;
      store_pack<S>(x, to + j);
    }
  }
  static void minus_combination(algebra::Rows<S> A, const S* b, const Indices<N>& list, int count, S* x) {
    combine<Tree>(Columns<N, S>(A.data, A.stride), b, list, x);
    for (int j = 0; j < count; ++j) x[j] = -x[j];
  }
};

/// Z = M^-1, both triangles. `M` is n x n, column-major.
template <class Tree, ZerosOf zeros, int N, class S>
void invert_inertia(const TreePattern<Tree, zeros>& pattern, const S* M, PaddedMatrix<N, S>& Z) {
  code_begins<Tree, S>();
  const int n = Z.n();
  Room<S, N> inverse_D(n);
  PaddedColumn<N, S> x(Z.stride());
  PaddedMatrix<N, S> L(n);
  L.assign(M);
  const algebra::Rows<S> rows{L.column(0), L.stride()};
  algebra::factor_inertia<PackOps<Tree, N, S>>(pattern, n, rows, inverse_D.data);
  Z.clear();
  algebra::invert_factored<PackOps<Tree, N, S>>(pattern, n, rows, inverse_D.data,
                                                algebra::Rows<S>{Z.column(0), Z.stride()}, x.data);
  code_ends<Tree, S>();
}

/// M^-1 and products with it, for the second order of forward dynamics.
template <class Tree, class S>
class InverseProducts {
  static constexpr int N = known_nv<Tree>();

 public:
  InverseProducts(int n, const S* Minv) : inverse_(n), product_(n) { inverse_.assign(Minv); }

  void solve(const S* b, const Indices<N>& list, S* x) const {
    combine<Tree>(inverse_.columns(), b, list, x);
  }
  void sandwich(S* D, const Indices<N>& list) {
    code_begins<Tree, S, false>();
    const int n = inverse_.n();
    PaddedMatrix<N, S> AD(n);
    for (int m = 0; m < list.count; ++m)
      combine<Tree>(inverse_.columns(), D + n * list[m], list, AD.column(list[m]));
    for (int c = 0; c < n; ++c) {
      combine<Tree>(AD.columns(), inverse_.column(c), list, product_.column(c));
      for (int i = 0; i < n; ++i) D[n * c + i] = product_.column(c)[i];
    }
    code_ends<Tree, S>();
  }
  void times_Y(const S* b, const Indices<N>& list, S* x) const {
    combine<Tree>(product_.columns(), b, list, x);
  }
  void keep_row(int k, const S* x) {
    for (int m = 0; m < product_.n(); ++m) product_.column(m)[k] = x[m];
    if (k == product_.n() - 1) product_.clear_padding();
  }
  void times_Q(const S* b, const Indices<N>& list, S* x) const {
    combine<Tree>(product_.columns(), b, list, x);
  }

 private:
  PaddedMatrix<N, S> inverse_, product_;  ///< the second is Y of one coordinate, or Q
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
