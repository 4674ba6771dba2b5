// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/dense_inverse.hpp>
#include <featherline/prepare.hpp>

/// Second derivatives of forward dynamics from those of inverse dynamics, without their structural zeros.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// By coordinate: the first coordinate of its joint. A coordinate that several joints share has none beside it.
template <class Tree>
struct JointStarts {
  short of[Tree::nv] = {};

  constexpr JointStarts() {
    for (int j = 0; j < Tree::nv; ++j) of[j] = relations<Tree, fills_factor<Tree>()>.joint[j];
  }
};
template <class Tree>
inline constexpr JointStarts<Tree> joint_starts{};

/// The equations of algebra::solve_second_derivatives with a_q = -M^-1 tau_q:
///
///   d2a_dqdq(:, j, k) = -M^-1 (tau_qq(:, j, k) + M_j a_q(:, k) + M_k a_q(:, j))
///   d2a_dqdv(:, j, k) = -M^-1 (tau_qv(:, j, k) + M_j a_v(:, k))
///   d2a_dvdv(:, j, k) = -M^-1 tau_vv(:, j, k)
///   d2a_dqdtau(:, j, k) = -M^-1 M_j M^-1(:, k).
///
/// Each M_j = dM/dq_j is sparse, so it is multiplied first. Inputs are read only where the tree lets them differ from
/// zero. Every entry is written. A column of d2a_dqdq is written twice. At the first of its two coordinates it gets all
/// terms of the sum but the last. At the second it is complete.
template <class Tree, class S>
class SecondOrderSolution {
 public:
  static constexpr int n = Tree::nv, n2 = n * n;
  static constexpr bool full = fills_factor<Tree>();

  SecondOrderSolution(const S* Minv, const S* dtau_dq, const S* dtau_dv) {
    inverse_.assign(Minv);
    negative_dense_product<Tree>(inverse_, dtau_dq, 0, product_.data);
    keep_negative_rows(minus_a_q_);
    negative_dense_product<Tree>(inverse_, dtau_dv, 0, product_.data);
    keep_negative_rows(minus_a_v_);
  }

  void solve(S* dqdq, S* dvdv, S* dqdv, S* dM_dq) {
    for (const Segment& segment : table().rows) {
      for (int j = segment.begin; j < segment.end; ++j) {
        const int joint = joint_starts<Tree>.of[j];
        const Column at{segment, j, joint, full ? n : joint};
        write(at, dqdq, dqdv, dM_dq);
        from_entries(at, dvdv, j, BothOrders{dvdv, j});
      }
    }
    exchange(dM_dq);
  }

 private:
  using Rows = RowVectors<n, S>;
  static constexpr int together = sums_at_once<Tree, full, S>();

  /// Coordinate j, whose columns are written. dM(i, k)/dq_j is zero unless i or k is before `end_above`, because what
  /// is at or behind the joint moves as one body. Joints that share coordinates have no such end.
  struct Column {
    const Segment& segment;
    int j, joint, end_above;
  };

  static constexpr const Segments<Tree, full>& table() { return segments<Tree, full>; }

  /// The columns in `product_` as rows with the other sign.
  void keep_negative_rows(AlignedRows<n, S>& rows) const {
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) rows[i][k] = -product_.data[n * k + i];
    }
  }

  // What becomes of sums. They are columns from k on.

  /// They are stored with a stride.
  struct Stored {
    S* first;
    int stride;
    template <int sums>
    FEATHERLINE_INLINE void finish(RowSums<n, S, sums>& x, int k) const {
      x.store_all(first + stride * k, stride);
    }
  };
  /// They are columns (j, k) and (k, j) of a symmetric tensor.
  struct BothOrders {
    S* T;
    int j;
    template <int sums>
    FEATHERLINE_INLINE void finish(RowSums<n, S, sums>& x, int k) const {
      x.store_all(T + n * j + n2 * k, n2);
      x.store_all(T + n * k + n2 * j, n);
    }
  };
  /// They are columns of d2a_dqdq, complete if k < j.
  struct TwoSteps {
    const SecondOrderSolution& solution;
    const Column& at;
    S* T;
    template <int sums>
    FEATHERLINE_INLINE void finish(RowSums<n, S, sums>& x, int k) const {
      each(x, k, UpTo<sums>{});
    }

   private:
    template <class Sums, int... q>
    FEATHERLINE_INLINE void each(Sums& x, int k, std::integer_sequence<int, q...>) const {
      (one<q>(x, k + q), ...);
    }
    template <int q, class Sums>
    FEATHERLINE_INLINE void one(Sums& x, int k) const {
      S *jk = T + n * at.j + n2 * k, *kj = T + n * k + n2 * at.j;
      if (k >= at.j) return x.template store<q>(jk);
      x.template add<q>(kj);
      x.template store<q>(kj);
      if (k < at.joint) return x.template store<q>(jk);
      RowSums<n, S, 1> difference;  // of the two orders inside a joint (keep_differences)
      difference.clear();
      difference.subtract(table(), at.segment, n, solution.inverse_, {jk, 1, 0});
      difference.template add<0>(kj);
      difference.template store<0>(jk);
    }
  };

  // Where sums come from.

  /// Columns k of -M^-1 times `product_`.
  template <class Finish>
  FEATHERLINE_NOINLINE void from_product(const Column& at, const Finish& to) const {
    code_begins<Tree, S>();
    int k = 0;
    for (; k + together <= n; k += together) sum_of_product<together>(at, k, to);
    if constexpr (n % together != 0) {
      for (; k < n; ++k) sum_of_product<1>(at, k, to);
    }
    code_ends<Tree, S>();
  }
  template <int sums, class Finish>
  FEATHERLINE_INLINE void sum_of_product(const Column& at, int k, const Finish& to) const {
    RowSums<n, S, sums> x;
    x.clear();
    x.subtract(table(), at.segment, n, inverse_, {product_.data + k, Rows::stride, 1});
    to.finish(x, k);
  }
  /// Columns k, from `first` on, of -M^-1 times columns (j, k) of a tensor.
  template <class Finish>
  FEATHERLINE_NOINLINE void from_entries(const Column& at, const S* T, int first, const Finish& to) const {
    code_begins<Tree, S>();
    for (const Segment& segment : table().rows) {
      int k = segment.begin < first ? first : segment.begin;
      if (k >= segment.end) continue;
      // Entries differ from zero for coordinates on a path with the deeper one of j and k.
      const Segment& deeper = k > at.j ? segment : at.segment;
      const bool zero = !is_related(at.segment, k);
      for (; k + together <= segment.end; k += together) sum_of_entries<together>(at, T, deeper, zero, k, to);
      for (; k < segment.end; ++k) sum_of_entries<1>(at, T, deeper, zero, k, to);
    }
    code_ends<Tree, S>();
  }
  template <int sums, class Finish>
  FEATHERLINE_INLINE void sum_of_entries(const Column& at, const S* T, const Segment& deeper, bool zero,
                                         int k, const Finish& to) const {
    RowSums<n, S, sums> x;
    x.clear();
    if (!zero) x.subtract(table(), deeper, n, inverse_, {T + n * at.j + n2 * k, 1, n2});
    to.finish(x, k);
  }
  template <class Finish>
  void from_zeros(int end, const Finish& to) const {
    for (int k = 0; k < end; ++k) {
      RowSums<n, S, 1> x;
      x.clear();
      to.finish(x, k);
    }
  }

  static bool is_related(const Segment& segment, int k) {
    for (int r = 0; r < segment.num_ranges; ++r) {
      const Range range = table().ranges[segment.first_range + r];
      if (range.begin <= k && k < range.end) return true;
    }
    return false;
  }
  /// Calls visit(i) for the coordinates that the segment is related to.
  template <class Visit>
  static void for_each_related(const Segment& segment, const Visit& visit) {
    for (int r = 0; r < segment.num_ranges; ++r) {
      const Range range = table().ranges[segment.first_range + r];
      for (int i = range.begin; i < range.end; ++i) visit(i);
    }
  }

  void write(const Column& at, S* dqdq, S* dqdv, S* dM_dq) {
    const TwoSteps two_steps{*this, at, dqdq};
    const Stored mixed{dqdv + n * at.j, n2}, torque{dM_dq + n2 * at.j, n};
    keep_differences(at, dqdq);
    if (table().ranges[at.segment.first_range].begin >= at.end_above) {  // M_j is zero
      from_zeros(at.j, two_steps);
      from_entries(at, dqdq, at.j, two_steps);
      from_entries(at, dqdv, 0, mixed);
      return from_zeros(n, torque);
    }
    multiply(at, torque.first, minus_a_q_);
    add_entries(at, dqdq, true);
    from_product(at, two_steps);
    multiply(at, torque.first, minus_a_v_);
    add_entries(at, dqdv, false);
    from_product(at, mixed);
    multiply(at, torque.first, inverse_);
    from_product(at, torque);
  }

  /// Column (k, j) of tau_qq minus column (j, k), for k behind j in the same joint. Turns do not commute.
  static void keep_differences(const Column& at, S* T) {
    for (int k = at.j + 1; k < n && joint_starts<Tree>.of[k] == at.joint; ++k) {
      S *kj = T + n * k + n2 * at.j, *jk = T + n * at.j + n2 * k;
      for_each_related(at.segment, [&](int i) { kj[i] = kj[i] - jk[i]; });
    }
  }

  /// product_ = -M_j X, in the rows that j is related to.
  FEATHERLINE_NOINLINE void multiply(const Column& at, const S* M_j, const AlignedRows<n, S>& X) {
    code_begins<Tree, S>();
    for (int r = 0; r < at.segment.num_ranges; ++r) {
      const Range range = table().ranges[at.segment.first_range + r];
      const int middle = range.end < at.end_above     ? range.end
                         : range.begin < at.end_above ? at.end_above
                                                      : range.begin;
      multiply_rows(at, range.begin, middle, n, M_j, X);
      multiply_rows(at, middle, range.end, at.end_above, M_j, X);
    }
    code_ends<Tree, S>();
  }
  FEATHERLINE_INLINE void multiply_rows(const Column& at, int i, int end, int limit, const S* M_j,
                                        const AlignedRows<n, S>& X) {
    for (; i + together <= end; i += together) sum_of_rows<together>(at, i, limit, M_j, X);
    for (; i < end; ++i) sum_of_rows<1>(at, i, limit, M_j, X);
  }
  template <int sums>
  FEATHERLINE_INLINE void sum_of_rows(const Column& at, int i, int limit, const S* M_j,
                                      const AlignedRows<n, S>& X) {
    RowSums<n, S, sums> x;
    x.clear();
    x.subtract(table(), at.segment, limit, X, {M_j + n * i, 1, n});
    x.store_all(product_[i], Rows::stride);
  }
  /// Adds columns (j, k) of T to product_. For `two_steps` only those with k >= j, and product_ counts twice at k = j.
  void add_entries(const Column& at, const S* T, bool two_steps) {
    const int first = two_steps ? at.j : 0;
    for (const Segment& segment : table().rows) {
      int k = segment.begin < first ? first : segment.begin;
      if (k >= segment.end || !is_related(at.segment, k)) continue;
      const Segment& deeper = k > at.j ? segment : at.segment;
      for (; k < segment.end; ++k) {
        const S* column = T + n * at.j + n2 * k;
        const bool twice = two_steps && k == at.j;
        for_each_related(deeper, [&](int i) {
          S& x = product_[i][k];
          x = (twice ? x + x : x) + column[i];
        });
      }
    }
  }

  /// T(i, j, k) = -T(i, k, j).
  static void exchange(S* T) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j <= k; ++j) {
        S *jk = T + n * j + n2 * k, *kj = T + n * k + n2 * j;
        RowSums<n, S, 2> x;
        x.clear();
        x.template subtract<0>(jk);
        x.template subtract<1>(kj);
        x.template store<0>(kj);
        x.template store<1>(jk);
      }
    }
  }

  AlignedRows<n, S> inverse_, minus_a_q_, minus_a_v_, product_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
