// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/position_rows.hpp>
#include <featherline/prepare.hpp>

/// The derivatives of a step in time from those of the acceleration: A and B of d[q'; v'] = A d[q; v] + B d tau.
/// Emitted code computes the acceleration and its derivatives da/dq, da/dv and da/dtau: n x n, column-major, n =
/// tree.nv. It also computes the derivatives of q (+) step. These are ones and zeros but for joints that move along a
/// group.
namespace featherline {
namespace detail {
inline namespace FEATHERLINE_REGISTERS {

/// Which column of [A B]: a derivative with respect to a coordinate of q, of v or of tau.
enum class By { q, v, tau };

/// One column of the derivatives of q', v' or of a state between.
template <class Tree, class S>
class StepColumn {
 public:
  static constexpr int width = PackOf<S>::width, of_joint = width < Moves::width ? width : Moves::width;

  FEATHERLINE_INLINE StepColumn(const Tree& tree, const S* moves) : tree_(tree), moves_(moves) {}

  /// to = factor x, plus 1 at coordinate j of v.
  template <By by>
  FEATHERLINE_INLINE void put_v(const S& factor, const S* x, int j, S* to) const {
    put_multiple<false, width>(factor, x, tree_.nv, to);
    if (by == By::v) to[j] = to[j] + S(1);
  }

  /// to = d(q (+) w)/dq by coordinate j of q, plus time d(q (+) w)/dw y with y = factor x, plus 1 at coordinate j of v.
  template <By by>
  FEATHERLINE_INLINE void put_q(const S& time, const S& factor, const S* x, int j, S* to) const {
    const auto& joints = moved_joints(tree_);
    const int begin = joints.size_of_base();
    put_multiple<false, width>(S(time * factor), x + begin, tree_.nv - begin, to + begin);
    if (by != By::tau && j >= begin) to[j] = to[j] + (by == By::q ? S(1) : time);
    const S* block = moves_ + Moves::first;
    for (int k = 0; k < joints.count; ++k) {
      const auto [first, count] = joints.list.data[k];
      if (count == 6) put_block<by, 6>(block, factor, x + first, j - first, to + first);
      if (count == 3) put_block<by, 3>(block, factor, x + first, j - first, to + first);
      block += Moves::size(count);
    }
  }

 private:
  template <By by, int count>
  FEATHERLINE_INLINE void put_block(const S* block, const S& factor, const S* x, int j, S* to) const {
    constexpr int height = Moves::height(count);
    const S *by_q = block, *by_w = block + height * count;
    const bool has_j = by != By::tau && j >= 0 && j < count;
    put_rows<0, count, of_joint>(by_w, factor, x, has_j ? (by == By::q ? by_q : by_w) + height * j : nullptr,
                                 to);
  }
  /// Rows from r on, and the rest in shorter vectors. Of a free joint, angles do not depend on where it is.
  template <int r, int count, int lanes>
  FEATHERLINE_INLINE void put_rows(const S* by_w, const S& factor, const S* x, const S* more, S* to) const {
    constexpr int first = count == 6 && r >= 3 ? 3 : 0, height = Moves::height(count);
    if constexpr (r + lanes <= count) {
      auto sum = load_vector<lanes>(by_w + height * first + r) * x[first];
      each(Known<first + 1>{}, Known<count>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA {
        sum += load_vector<lanes>(by_w + height * k + r) * x[k];
      });
      sum = more == nullptr ? sum * factor : load_vector<lanes>(more + r) + sum * factor;
      store_vector<lanes, S>(sum, to + r);
      put_rows<r + lanes, count, lanes>(by_w, factor, x, more, to);
    } else if constexpr (r < count) {
      put_rows<r, count, lanes / 2>(by_w, factor, x, more, to);
    }
  }

  const Tree& tree_;
  const S* moves_;
};

/// The derivatives of the acceleration of a stage, column-major.
template <class S>
struct AccelerationRates {
  const S *q, *v, *tau;
};

/// Columns of da/dq Q + da/dv V, `columns` at a time, to R. Behind a floating base, whose columns are known
/// (algorithms/dynamics/dynamics.hpp), these have linear rows only, and those of its position are zero.
template <bool behind_base, class Tree, class S>
class StageProduct {
 public:
  FEATHERLINE_INLINE StageProduct(const Tree& tree, const AccelerationRates<S>& da) : tree_(tree), da_(da) {}

  template <int columns>
  FEATHERLINE_INLINE void put(const S* Q, const S* V, S* R) const {
    rows<columns, PackOf<S>::width>(0, Q, V, R);
  }

 private:
  template <int columns, int width>
  FEATHERLINE_INLINE void rows(int r, const S* Q, const S* V, S* R) const {
    for (; r + width <= tree_.nv; r += width) pack<columns, width>(r, Q, V, R);
    if constexpr (width > 1) {
      if (r < tree_.nv) rows<columns, width / 2>(r, Q, V, R);
    }
  }
  template <int columns, int width>
  FEATHERLINE_INLINE void pack(int r, const S* Q, const S* V, S* R) const {
    const int n = tree_.nv;
    const bool is_known = behind_base && r >= 3;
    typename VectorOf<S, width>::type sum[columns] = {};
    const auto add = [&](const S* column, const S* row) FEATHERLINE_INLINE_LAMBDA {
      auto x = load_vector<width>(column);
      keep_in_register(x);
      each(Known<0>{}, Known<columns>{}, [&](auto c) FEATHERLINE_INLINE_LAMBDA { sum[c] += x * row[n * c]; });
    };
    for (int k = !behind_base ? 0 : is_known ? 6 : 3; k < n; ++k) add(da_.q + n * k + r, Q + k);
    for (int k = is_known ? 3 : 0; k < n; ++k) add(da_.v + n * k + r, V + k);
    each(Known<0>{}, Known<columns>{},
         [&](auto c) FEATHERLINE_INLINE_LAMBDA { store_vector<width, S>(sum[c], R + n * c + r); });
  }

  const Tree& tree_;
  AccelerationRates<S> da_;
};

/// The columns of a stage of Runge and Kutta: with R = da/dq Q + da/dv V + da/dtau, where Q and V are the derivatives
/// of the stage's q and v,
///
///   next Q = d(q (+) w)/dq + d(q (+) w)/dw (reach V),  next V = 1 + reach R,
///
/// and multiples of R are added up in A and B, where q' and v' are.
template <bool behind_base, bool is_last, class Tree, class S>
class Stage {
 public:
  FEATHERLINE_INLINE Stage(const Tree& tree, const S* moves, const AccelerationRates<S>& da, S* Q, S* V)
      : tree_(tree), moves_(moves), column_(tree, moves), product_(tree, da), da_tau_(da.tau), Q_(Q), V_(V) {}

  /// `part`: where the columns by q, v or tau begin in Q and V; `next`: the same in A or B.
  template <By by>
  FEATHERLINE_INLINE void run(int part, S* next) const {
    constexpr int side_by_side = 6;
    const int n = tree_.nv;
    int j = 0;
    if (behind_base && by == By::q) {
      for (; j < 3; ++j) end_column<by>(part, j, next);  // the position of the base moves nothing else
    }
    for (; j + side_by_side <= n; j += side_by_side) put<by, side_by_side>(part, j, next);
    for (; j + 2 <= n; j += 2) put<by, 2>(part, j, next);
    for (; j < n; ++j) put<by, 1>(part, j, next);
  }

 private:
  template <By by, int columns>
  FEATHERLINE_INLINE void put(int part, int j, S* next) const {
    const int n = tree_.nv, first = part + n * j;
    Room<S, product_or_unknown(columns, known_nv<Tree>())> room(columns * n);
    product_.template put<columns>(Q_ + first, V_ + first, room.data);
    for (int c = 0; c < columns; ++c) {
      S* R = room.data + n * c;
      S* to = next + 2 * n * (j + c);
      if (by == By::tau) put_multiple<true, width>(S(1), da_tau_ + n * (j + c), n, R);
      put_multiple<true, width>(moves_[Moves::of_v], R, n, to + n);
      if (!is_last) {
        put_multiple<true, width>(moves_[Moves::of_q], R, n, to);
        S *Q = Q_ + first + n * c, *V = V_ + first + n * c;
        column_.template put_q<by == By::v ? By::tau : by>(moves_[Moves::reach], S(1), V, j + c, Q);
        column_.template put_v<by>(moves_[Moves::reach], R, j + c, V);
      } else {
        end_column<by>(part, j + c, next);
      }
    }
  }
  /// q' by what was added up.
  template <By by>
  FEATHERLINE_INLINE void end_column(int part, int j, S* next) const {
    if (!is_last) return;
    const int n = tree_.nv;
    S *sum = V_ + part + n * j, *to = next + 2 * n * j;
    column_.template put_v<By::tau>(S(1), to, j, sum);
    if (by == By::v) sum[j] = sum[j] + moves_[Moves::reach];
    column_.template put_q<by == By::v ? By::tau : by>(S(1), S(1), sum, j, to);
  }

  static constexpr int width = PackOf<S>::width;
  const Tree& tree_;
  const S* moves_;
  StepColumn<Tree, S> column_;
  StageProduct<behind_base, Tree, S> product_;
  const S* da_tau_;
  S *Q_, *V_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace detail

namespace step_derivatives {

/// The rows of q' in A and B of the semi-implicit step, from those of v' = dt da that stand there, to which it adds
/// the 1 by v. Behind a base it leaves out the columns of A that are known.
template <bool behind_base, class Tree, class S>
FEATHERLINE_INLINE void put_positions(const Tree& tree, const S* moves, S* A, S* B) {
  const int n = tree.nv, of_q = behind_base ? 6 : 0, of_v = behind_base ? 3 : 0;
  const detail::PositionRows<Tree, S> rows(tree, moves);
  S* by_v = A + 2 * n * n;
  for (int j = of_v; j < n; ++j) by_v[2 * n * j + n + j] = by_v[2 * n * j + n + j] + S(1);
  rows.put(A, of_q, n);
  rows.add_positions(A, of_q);
  rows.put(B, 0, n);
  rows.put(by_v, of_v, n);
}

/// A and B from da. put_positions() behind it would do, but takes 4 % longer where A and B leave the first cache
/// (simple_humanoid). Behind a base it leaves out the columns of A that are known.
template <bool behind_base, class Tree, class S>
FEATHERLINE_INLINE void put_semi_implicit(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv,
                                          const S* da_dtau, S* A, S* B) {
  using detail::By;
  const int n = tree.nv;
  const detail::StepColumn<Tree, S> column(tree, moves);
  const S& dt = moves[detail::Moves::of_v];
  for (int j = behind_base ? 6 : 0; j < n; ++j) {
    column.template put_q<By::q>(dt, dt, da_dq + n * j, j, A + 2 * n * j);
    column.template put_v<By::q>(dt, da_dq + n * j, j, A + 2 * n * j + n);
  }
  for (int j = behind_base ? 3 : 0; j < n; ++j) {
    S* to = A + 2 * n * (n + j);
    column.template put_q<By::v>(dt, dt, da_dv + n * j, j, to);
    column.template put_v<By::v>(dt, da_dv + n * j, j, to + n);
  }
  for (int j = 0; j < n; ++j) {
    column.template put_q<By::tau>(dt, dt, da_dtau + n * j, j, B + 2 * n * j);
    column.template put_v<By::tau>(dt, da_dtau + n * j, j, B + 2 * n * j + n);
  }
}

template <class Tree, class S>
void semi_implicit(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv, const S* da_dtau, S* A,
                   S* B) {
  code_begins<Tree, S>();
  put_semi_implicit<false>(tree, moves, da_dq, da_dv, da_dtau, A, B);
  code_ends<Tree, S>();
}
template <class Tree, class S>
void semi_implicit_behind_base(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv,
                               const S* da_dtau, S* A, S* B) {
  code_begins<Tree, S>();
  put_semi_implicit<true>(tree, moves, da_dq, da_dv, da_dtau, A, B);
  code_ends<Tree, S>();
}

template <class Tree, class S>
void positions(const Tree& tree, const S* moves, S* A, S* B) {
  code_begins<Tree, S>();
  put_positions<false>(tree, moves, A, B);
  code_ends<Tree, S>();
}
template <class Tree, class S>
void positions_behind_base(const Tree& tree, const S* moves, S* A, S* B) {
  code_begins<Tree, S>();
  put_positions<true>(tree, moves, A, B);
  code_ends<Tree, S>();
}

/// The first stage of Runge and Kutta: Q = 1 by q, V = 1 by v. It writes A, B, and the next Q and V, n x 3 n.
template <class Tree, class S>
void first_stage(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv, const S* da_dtau, S* Q,
                 S* V, S* A, S* B) {
  code_begins<Tree, S>();
  using detail::By;
  using detail::Moves;
  constexpr int width = detail::PackOf<S>::width;
  const int n = tree.nv;
  const detail::StepColumn<Tree, S> column(tree, moves);
  const S &of_v = moves[Moves::of_v], &of_q = moves[Moves::of_q], &reach = moves[Moves::reach];
  for (int j = 0; j < n; ++j) {
    const S *by_q = da_dq + n * j, *by_v = da_dv + n * j, *by_tau = da_dtau + n * j;
    S *q = Q + n * j, *v = V + n * j;
    S *to_q = A + 2 * n * j, *to_v = A + 2 * n * (n + j), *to_tau = B + 2 * n * j;
    detail::put_multiple<false, width>(of_q, by_q, n, to_q);
    detail::put_multiple<false, width>(of_q, by_v, n, to_v);
    detail::put_multiple<false, width>(of_q, by_tau, n, to_tau);
    column.template put_v<By::q>(of_v, by_q, j, to_q + n);
    column.template put_v<By::v>(of_v, by_v, j, to_v + n);
    column.template put_v<By::tau>(of_v, by_tau, j, to_tau + n);
    column.template put_q<By::q>(reach, S(0), by_q, j, q);
    column.template put_q<By::v>(reach, S(0), by_v, j, q + n * n);
    column.template put_q<By::tau>(reach, S(0), by_tau, j, q + 2 * n * n);
    column.template put_v<By::q>(reach, by_q, j, v);
    column.template put_v<By::v>(reach, by_v, j, v + n * n);
    column.template put_v<By::tau>(reach, by_tau, j, v + 2 * n * n);
  }
  code_ends<Tree, S>();
}

template <bool behind_base, bool is_last, class Tree, class S>
FEATHERLINE_INLINE void run_stage(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv,
                                  const S* da_dtau, S* Q, S* V, S* A, S* B) {
  using detail::By;
  const int n = tree.nv, part = n * n;
  const detail::Stage<behind_base, is_last, Tree, S> stage(tree, moves, {da_dq, da_dv, da_dtau}, Q, V);
  stage.template run<By::q>(0, A);
  stage.template run<By::v>(part, A + 2 * part);
  stage.template run<By::tau>(2 * part, B);
}

/// The second and the third stage, and the last one, which ends A and B.
template <class Tree, class S>
FEATHERLINE_NOINLINE void middle_stage(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv,
                                       const S* da_dtau, S* Q, S* V, S* A, S* B) {
  code_begins<Tree, S>();
  run_stage<false, false>(tree, moves, da_dq, da_dv, da_dtau, Q, V, A, B);
  code_ends<Tree, S>();
}
template <class Tree, class S>
FEATHERLINE_NOINLINE void middle_stage_behind_base(const Tree& tree, const S* moves, const S* da_dq,
                                                   const S* da_dv, const S* da_dtau, S* Q, S* V, S* A, S* B) {
  code_begins<Tree, S>();
  run_stage<true, false>(tree, moves, da_dq, da_dv, da_dtau, Q, V, A, B);
  code_ends<Tree, S>();
}
template <class Tree, class S>
void last_stage(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv, const S* da_dtau, S* Q,
                S* V, S* A, S* B) {
  code_begins<Tree, S>();
  run_stage<false, true>(tree, moves, da_dq, da_dv, da_dtau, Q, V, A, B);
  code_ends<Tree, S>();
}
template <class Tree, class S>
void last_stage_behind_base(const Tree& tree, const S* moves, const S* da_dq, const S* da_dv,
                            const S* da_dtau, S* Q, S* V, S* A, S* B) {
  code_begins<Tree, S>();
  run_stage<true, true>(tree, moves, da_dq, da_dv, da_dtau, Q, V, A, B);
  code_ends<Tree, S>();
}

}  // namespace step_derivatives
}  // namespace featherline
