// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/inertia_factor.hpp>
#include <featherline/detail/pack.hpp>
#include <featherline/detail/second_order_loops.hpp>

/// Loops over packs for matrices that have the zeros of a branching tree, and for M^-1.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Indices of coordinates, in ascending order.
struct Indices {
  const short* list;
  int count;

  int operator[](int m) const { return list[m]; }
};

template <class Tree>
class TreePattern {
 public:
  static constexpr int n = Tree::nv;

  constexpr TreePattern() {
    bool on_a_path[n][n] = {};
    for (int p = 0; p < Tree::num_axes; ++p) {
      for (int t = p; t >= 0; t = Tree::axes[t].parent) mark(on_a_path, p, Tree::axes[t]);
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        if (on_a_path[k][i]) related_[k].add(i);
        if (i < k && (on_a_path[k][i] || Tree::coupled)) before_[k].add(i);
      }
    }
  }

  /// The coordinates that lie on a common path from the root with k, and k itself. If j and k lie on no common path,
  /// M(j, k), d tau_j / d q_k and T(., j, k) are zero.
  Indices related(int k) const { return {related_[k].list, related_[k].count}; }
  /// The coordinates before k at which row k of L in M = L^T D L may differ from zero. The zeros between branches stay
  /// (Featherstone, RBDA section 6.5). If joints share coordinates, all of L is taken to be nonzero.
  Indices before(int k) const { return {before_[k].list, before_[k].count}; }

 private:
  struct List {
    short list[n] = {};
    int count = 0;

    constexpr void add(int i) { list[count++] = static_cast<short>(i); }
  };

  static constexpr void mark(bool (&on_a_path)[n][n], int p, const AxisInfo& joint) {
    for (int c = 0; c < joint.count; ++c) {
      const int j = Tree::axes[p].idx_v, k = Tree::axes[joint.first + c].idx_v;
      on_a_path[j][k] = on_a_path[k][j] = true;
    }
  }

  List related_[n] = {}, before_[n] = {};
};

/// Up to this number of coordinates the compiler computes the pattern. It is then part of the code, and the generator
/// counts its bytes (bytes_of_pattern()).
inline constexpr int max_constant_pattern = 40;

/// The compiler computes the pattern of a robot of usual size. At run time it would take 2 us for 38 coordinates, half
/// as long as M^-1. For a larger robot each call computes the pattern. That takes n^2 steps, and the inverse and the
/// products take n^3. g++ 12 would need 7 s to compile the pattern of 64 coordinates, and compilers limit constant
/// expressions.
template <class Tree>
inline constexpr TreePattern<Tree> constant_pattern{};
template <class Tree>
decltype(auto) tree_pattern() {
  if constexpr (Tree::nv <= max_constant_pattern) {
    return (constant_pattern<Tree>);
  } else {
    return TreePattern<Tree>();
  }
}

/// An N x N matrix whose columns fill whole packs.
template <int N, class S>
struct PaddedMatrix {
  static constexpr int stride = padded<S>(N);
  S data[N * stride];

  void assign(const S* A) {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) data[c * stride + r] = A[c * N + r];
    }
    clear_padding();
  }
  void clear_padding() {
    for (int c = 0; c < N; ++c) {
      for (int r = N; r < stride; ++r) data[c * stride + r] = S(0);
    }
  }
  void copy_to(S* A) const {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < N; ++r) A[c * N + r] = data[c * stride + r];
    }
  }
};

/// Computes one pack of the sum of A(:, k) b[k] over the listed k. The pack begins at row `row`. `A` holds the columns
/// of a PaddedMatrix.
template <int N, class S>
inline void combine_pack(const S* A, const S* b, const Indices& list, int row, S* to) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  Pack<S> x = load_pack(A + list[0] * stride + row) * b[list[0]];
  const int end = N > 1 ? list.count : 1;  // the same, so that g++ 12 sees no read beyond a list of one
  for (int m = 1; m < end; ++m) x = x + load_pack(A + list[m] * stride + row) * b[list[m]];
  store_pack<S>(x, to + row);
}

/// The same for four packs. Their sums do not wait for each other. They have four names because g++ 12 would keep an
/// array in memory.
template <int N, class S>
inline void combine_four_packs(const S* A, const S* b, const Indices& list, int row, S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  const S* first = A + list[0] * stride + row;
  Pack<S> x0 = load_pack(first) * b[list[0]], x1 = load_pack(first + width) * b[list[0]],
          x2 = load_pack(first + 2 * width) * b[list[0]], x3 = load_pack(first + 3 * width) * b[list[0]];
  const int end = N > 1 ? list.count : 1;
  for (int m = 1; m < end; ++m) {
    const S* column = A + list[m] * stride + row;
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
template <int N, class S>
inline void combine(const S* A, const S* b, const Indices& list, S* to) {
  constexpr int width = PackOf<S>::width, stride = PaddedMatrix<N, S>::stride;
  int row = 0;
  for (; row + 4 * width <= stride; row += 4 * width) combine_four_packs<N>(A, b, list, row, to);
  for (; row < stride; row += width) combine_pack<N>(A, b, list, row, to);
}

/// to = -A B, without the columns before `first`. B has the zeros of a branching tree, and may be `to`.
template <class Pattern, int N, class S>
inline void negative_product(const PaddedMatrix<N, S>& A, const Pattern& pattern, const S* B, int first,
                             S* to) {
  S x[PaddedMatrix<N, S>::stride];
  for (int c = first; c < N; ++c) {
    combine<N>(A.data, B + N * c, pattern.related(c), x);
    for (int r = 0; r < N; ++r) to[N * c + r] = -x[r];
  }
}

/// Columns of da/dq and da/dv that need no product: those of a floating base's coordinates, and of its translation.
inline constexpr int known_columns_dq = 6, known_columns_dv = 3;

/// Writes the columns of da/dq and da/dv that are known. `base` has their rows that are not zero, the first three, of the
/// base's rotations in da/dq and of its translations in da/dv, column by column.
template <int N, class S>
inline void put_base_columns(const S* base, S* dq, S* dv) {
  for (int k = 0; k < N * known_columns_dq; ++k) dq[k] = S(0.0);
  for (int k = 0; k < N * known_columns_dv; ++k) dv[k] = S(0.0);
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      dq[N * (3 + c) + r] = base[3 * c + r];
      dv[N * c + r] = base[9 + 3 * c + r];
    }
  }
}

/// The operations that algebra/inertia_factor.hpp needs. Whole rows are subtracted: to subtract zeros costs less than
/// to look up indices. Numbers that this writes above the diagonal are never read.
template <int N, class S>
struct PackOps {
  static void subtract(const S* row, const S& l, S* to, int count) {
    for (int j = 0; j < count; j += PackOf<S>::width) {
      const Pack<S> x = load_pack(to + j) - load_pack(row + j) * l;
      store_pack<S>(x, to + j);
    }
  }
  static void minus_combination(algebra::Rows<S> A, const S* b, const Indices& list, int count, S* x) {
    combine<N>(A.data, b, list, x);
    for (int j = 0; j < count; ++j) x[j] = -x[j];
  }
};

/// Z = M^-1, both triangles. `M` is n x n, column-major.
template <class Pattern, int N, class S>
void invert_inertia(const Pattern& pattern, const S* M, PaddedMatrix<N, S>& Z) {
  constexpr int stride = PaddedMatrix<N, S>::stride;
  PaddedMatrix<N, S> L;
  S inverse_D[N], x[stride];
  L.assign(M);
  algebra::factor_inertia<PackOps<N, S>>(pattern, N, algebra::Rows<S>{L.data, stride}, inverse_D);
  for (S& entry : Z.data) entry = S(0);
  algebra::invert_factored<PackOps<N, S>>(pattern, N, algebra::Rows<S>{L.data, stride}, inverse_D,
                                          algebra::Rows<S>{Z.data, stride}, x);
}

/// M^-1 and products with it, for the second order of forward dynamics.
template <int N, class S>
class InverseProducts {
 public:
  static constexpr int stride = PaddedMatrix<N, S>::stride;

  explicit InverseProducts(const S* Minv) { inverse_.assign(Minv); }

  void solve(const S* b, const Indices& list, S* x) const { combine<N>(inverse_.data, b, list, x); }
  void sandwich(S* D, const Indices& list) {
    PaddedMatrix<N, S> AD;
    for (int m = 0; m < list.count; ++m)
      combine<N>(inverse_.data, D + N * list[m], list, AD.data + stride * list[m]);
    for (int c = 0; c < N; ++c) {
      combine<N>(AD.data, inverse_.data + stride * c, list, product_.data + stride * c);
      for (int i = 0; i < N; ++i) D[N * c + i] = product_.data[stride * c + i];
    }
  }
  void times_Y(const S* b, const Indices& list, S* x) const { combine<N>(product_.data, b, list, x); }
  void keep_row(int k, const S* x) {
    for (int m = 0; m < N; ++m) product_.data[stride * m + k] = x[m];
    if (k == N - 1) product_.clear_padding();
  }
  void times_Q(const S* b, const Indices& list, S* x) const { combine<N>(product_.data, b, list, x); }

 private:
  PaddedMatrix<N, S> inverse_, product_;  ///< the second is Y of one coordinate, or Q
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
