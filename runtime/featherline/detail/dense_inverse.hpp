// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/dense_groups.hpp>
#include <featherline/detail/inertia_rows.hpp>
#include <featherline/prepare.hpp>

/// M^-1 from the rows of its factor, and products with it.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// An n x n array, where rows of the inverse go, too.
template <int N, class S>
struct CopyTo {
  S* data;
  template <int q, class Sums>
  FEATHERLINE_INLINE void store(const Sums& x, int row) const {
    x.template store<q>(data + N * row);
  }
};

/// Row i of L Z = D^-1 L^-T gives row i of Z = M^-1 when the rows above it in the tree are known:
///
///   Z_i = row i of D^-1 L^-T - sum of L(i, j) Z_j.
template <class Tree, class S, class Copy>
class InverseOfRows {
 public:
  static constexpr int n = Tree::nv;
  static constexpr bool full = fills_factor<Tree>();
  using Factor = InertiaRows<Tree, S>;

  InverseOfRows(const Factor& factor, AlignedRows<n, S>& Z, const Copy& copy)
      : factor_(factor), Z_(Z), copy_(copy) {}

  FEATHERLINE_INLINE void unrolled() {
    each(Known<0>{}, Known<n>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA { make_row(known<downwards>(k)); });
  }
  FEATHERLINE_INLINE void by_segments() { for_each_group<Tree, full, S>(*this); }

  /// Rows from i on, of one segment.
  template <int together>
  FEATHERLINE_INLINE void group(int i, const Segment& segment) {
    RowSums<n, S, together> z;
    begin(z, i, UpTo<together>{}, Vectors{});
    z.subtract(segments<Tree, full>, segment, i, Z_, {factor_.scaled()[i], 1, Rows::stride});
    among(z, i, UpTo<together>{});
  }

 private:
  using Rows = RowVectors<n, S>;
  using Vector = typename Rows::Vector;
  using Vectors = UpTo<Rows::count>;

  /// Row i of D^-1 L^-T, D^-1 times row i of L^-T D times D^-1. It has zeros left of the diagonal.
  template <int v>
  FEATHERLINE_INLINE Vector upper(int i) const {
    constexpr int at = Rows::offset(v);
    return Rows::load(factor_.scaled()[i] + at) * Rows::load(factor_.inverse_D() + at) *
           Rows::load(mask.data + n - i + at);
  }

  static constexpr int downwards(int k) { return relations<Tree, full>.downwards[k]; }
  /// Whether vector v of row i of D^-1 L^-T has entries that are not known to be zero.
  static constexpr bool begins(int v, int i) {
    return Factor::has(v, i) && Rows::offset(v) + Rows::width > i;
  }

  template <class Row>
  FEATHERLINE_INLINE void make_row(Row i) {
    RowSums<n, S, 1> z;
    z.clear();
    visit_each<begins, 0, 1>(
        Vectors{}, [&](auto v) FEATHERLINE_INLINE_LAMBDA { z.x[0][v] = upper<decltype(v)::value>(i); }, i);
    each<Factor::are_related>(
        Known<0>{}, i,
        [&](auto j) FEATHERLINE_INLINE_LAMBDA { z.subtract_row(Z_[j], factor_.scaled()[i][j]); }, i);
    finish<0>(z, i);
  }

  template <class Sums, int... q, int... v>
  FEATHERLINE_INLINE void begin(Sums& z, int i, std::integer_sequence<int, q...>,
                                std::integer_sequence<int, v...> vectors) const {
    (begin_row(z.x[q], i + q, vectors), ...);
  }
  template <int... v>
  FEATHERLINE_INLINE void begin_row(Vector* x, int i, std::integer_sequence<int, v...>) const {
    ((x[v] = upper<v>(i)), ...);
  }
  template <class Sums, int... q>
  FEATHERLINE_INLINE void among(Sums& z, int i, std::integer_sequence<int, q...>) {
    (subtract_earlier<q>(z, i, UpTo<q>{}), ...);
  }
  template <int q, class Sums, int... other>
  FEATHERLINE_INLINE void subtract_earlier(Sums& z, int i, std::integer_sequence<int, other...>) {
    (z.template subtract_sum<q, other>(factor_.scaled()[i + q][i + other]), ...);
    finish<q>(z, i + q);
  }
  template <int q, class Sums>
  FEATHERLINE_INLINE void finish(const Sums& z, int i) {
    z.template store<q>(Z_[i]);
    copy_.template store<q>(z, i);
  }

  /// Zeros, then ones, for all i.
  struct Mask {
    S data[2 * n] = {};
    constexpr Mask() {
      for (int k = n; k < 2 * n; ++k) data[k] = S(1.0);
    }
  };
  static constexpr Mask mask{};

  const Factor& factor_;
  AlignedRows<n, S>& Z_;
  Copy copy_;
};

/// Pairs of coordinates on one path, in both orders, and each with itself.
template <class Tree>
constexpr int num_related_pairs() {
  int pairs = 0;
  for (const auto& row : relations<Tree, fills_factor<Tree>()>.related) {
    for (const bool is_related : row) pairs += is_related ? 1 : 0;
  }
  return pairs;
}

/// Pairs of coordinates, times vectors of a row: as long is unrolled code.
template <class Tree, class S>
constexpr int unrolled_steps() {
  return (num_related_pairs<Tree>() - Tree::nv) / 2 * RowVectors<Tree::nv, S>::count;
}

template <class Tree, class S, class Copy>
FEATHERLINE_INLINE void invert_unrolled(const S* M, InertiaRows<Tree, S>& factor,
                                        InverseOfRows<Tree, S, Copy>& inverse) {
  factor.factor_unrolled(M);
  inverse.unrolled();
}
template <class Tree, class S, class Copy>
FEATHERLINE_INLINE void invert_by_segments(const S* M, InertiaRows<Tree, S>& factor,
                                           InverseOfRows<Tree, S, Copy>& inverse) {
  factor.clear();
  factor.factor_by_segments(M);
  inverse.by_segments();
}

/// Z = M^-1. Code of up to `max_unrolled` steps is unrolled.
template <class Tree, int max_unrolled, class S, class Copy>
FEATHERLINE_INLINE void dense_inverse(const S* M, AlignedRows<Tree::nv, S>& Z, const Copy& copy) {
  InertiaRows<Tree, S> factor;
  InverseOfRows<Tree, S, Copy> inverse(factor, Z, copy);
  if constexpr (unrolled_steps<Tree, S>() <= max_unrolled) {
    invert_unrolled(M, factor, inverse);
  } else {
    invert_by_segments(M, factor, inverse);
  }
}

/// -A B for the columns of B that for_each_group() names. B has the zeros of a branching tree. A is given by columns.
template <class Tree, class S>
struct NegativeProduct {
  static constexpr int n = Tree::nv;
  const AlignedRows<n, S>& A;
  const S* B;
  S* product;

  template <int together>
  FEATHERLINE_INLINE void group(int column, const Segment& segment) const {
    // All that is read of these columns is read before they are written, so B may be the product.
    RowSums<n, S, together> x;
    x.clear();
    x.subtract(segments<Tree, false>, segment, n, A, {B + std::ptrdiff_t{n} * column, 1, n});
    x.store_all(product + std::ptrdiff_t{n} * column, n);
  }
};

/// to = -A B, without the columns before `first`. B may be `to`. It is a function of its own, so that two products
/// share its code.
template <class Tree, class S>
FEATHERLINE_NOINLINE void negative_dense_product(const AlignedRows<Tree::nv, S>& A, const S* B, int first,
                                                 S* to) {
  code_begins<Tree, S>();
  if constexpr (has_dense_groups<Tree>()) {
    ProductOfGroups<Tree, S>{A, B, to}.all();
  } else {
    const NegativeProduct<Tree, S> product{A, B, to};
    for_each_group<Tree, false, S>(product, first);
  }
  code_ends<Tree, S>();
}

/// x = A b with a symmetric A.
template <class Tree, class S>
FEATHERLINE_INLINE void dense_solution(const S* A, const S* b, S* x) {
  constexpr int n = Tree::nv;
  RowSums<n, S, 1> sum;
  sum.clear();
  for (int k = 0; k < n; ++k) sum.subtract_row(A + n * k, -b[k]);
  sum.store_all(x, n);
}

/// to = A^T, with A in columns of N numbers.
template <int N, class S>
void transpose(const S* A, AlignedRows<N, S>& to) {
  for (int k = 0; k < N; ++k) {
    for (int i = 0; i < N; ++i) to[i][k] = A[N * k + i];
  }
}

/// H = -H_tau + [qq + qq^T, qv; qv^T, 0], with sides of 2 N and N.
template <int N, class S>
void add_blocks(const S* H_tau, const S* qq, const S* qv, S* H) {
  constexpr int side = 2 * N;
  for (int k = 0; k < N; ++k) {
    const S *from_q = H_tau + side * k, *from_v = from_q + side * N;
    S *q = H + side * k, *v = q + side * N;
    for (int j = 0; j < N; ++j) q[j] = qq[N * k + j] - from_q[j];
    for (int j = 0; j < N; ++j) q[j] = q[j] + qq[N * j + k];
    for (int j = 0; j < N; ++j) q[N + j] = qv[N * j + k] - from_q[N + j];
    for (int j = 0; j < N; ++j) v[j] = qv[N * k + j] - from_v[j];
    for (int j = 0; j < N; ++j) v[N + j] = -from_v[N + j];
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
