// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/axis_tree.hpp>
#include <featherline/detail/known_indices.hpp>
#include <featherline/detail/matrix_loops.hpp>

/// How a step moves joints (Moves), and the rows of q' in A and B of a step whose rows of v' are known.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// The array `moves`. It begins with numbers of the step; then there are two matrices for each joint with several
/// coordinates: the derivatives of q (+) w with respect to q and with respect to w, the latter times a time. Their
/// columns fill vectors of `move_width`.
struct Moves {
  static constexpr int of_v = 0;   ///< what a derivative of a adds to that of v'
  static constexpr int of_q = 1;   ///< to that of q', before it is moved
  static constexpr int reach = 2;  ///< to that of the v of the next stage
  static constexpr int first = 3;  ///< where the matrices begin
  static constexpr int width = 4;

  static constexpr int height(int count) { return (count + width - 1) / width * width; }
  static constexpr int size(int count) { return 2 * height(count) * count; }
};

constexpr int product_or_unknown(int factor, int n) { return n == unknown ? unknown : factor * n; }

template <class Tree>
constexpr int size_of_moves(const Tree& tree) {
  int size = Moves::first;
  for (int p = 0; p < tree.num_axes; p += tree.axes[p].count) {
    if (tree.axes[p].count > 1) size += Moves::size(tree.axes[p].count);
  }
  return size;
}

/// The joints with several coordinates: where theirs begin in q's tangent, and how many they are.
template <class Tree>
constexpr int known_axes() {
  if constexpr (is_known_tree<Tree>) {
    return Tree::num_axes;
  } else {
    return unknown;
  }
}
struct MovedJoint {
  int first = 0, count = 0;
};
template <class Tree>
struct MovedJoints {
  constexpr explicit MovedJoints(const Tree& tree) : list(tree.num_axes) {
    for (int p = 0; p < tree.num_axes; p += tree.axes[p].count) {
      if (tree.axes[p].count > 1) list.data[count++] = {tree.axes[p].idx_v, tree.axes[p].count};
    }
  }
  /// The coordinates of the first joint, if they begin all others' and do not add: two coordinates of a joint do.
  constexpr int size_of_base() const {
    return count > 0 && list.data[0].first == 0 && list.data[0].count > 2 ? list.data[0].count : 0;
  }

  ZeroedRoom<MovedJoint, known_axes<Tree>()> list;
  int count = 0;
};
template <class Tree>
inline constexpr MovedJoints<Tree> known_moved_joints{Tree{}};
template <class Tree>
using JointsOf = std::conditional_t<is_known_tree<Tree>, const MovedJoints<Tree>&, MovedJoints<Tree>>;
template <class Tree>
FEATHERLINE_INLINE JointsOf<Tree> moved_joints([[maybe_unused]] const Tree& tree) {
  if constexpr (is_known_tree<Tree>) {
    return known_moved_joints<Tree>;
  } else {
    return MovedJoints<Tree>(tree);
  }
}

/// to = factor x, or to += factor x.
template <bool adds, int width, class S>
FEATHERLINE_INLINE void put_multiple(const S& factor, const S* x, int count, S* to) {
  if constexpr (width == 1) {
    for (int k = 0; k < count; ++k) to[k] = adds ? to[k] + factor * x[k] : factor * x[k];
  } else {
    int k = 0;
    for (; k + width <= count; k += width) {
      auto sum = factor * load_vector<width>(x + k);
      if (adds) sum += load_vector<width>(to + k);
      store_vector<width, S>(sum, to + k);
    }
    if (k < count) put_multiple<adds, width / 2>(factor, x + k, count - k, to + k);
  }
}

/// No rows.
struct NoRows {
  template <class S>
  FEATHERLINE_INLINE explicit NoRows(const S*) {}
  template <class S>
  FEATHERLINE_INLINE void put(const S*, S*) const {}
};

/// time d(q (+) w)/dw of a joint with `count` coordinates, from row r on: `lanes` rows, and the rest in shorter
/// vectors. The matrix stays in registers while columns pass. Of a free joint, angles do not depend on where it is.
template <class S, int r, int count, int lanes>
class MovedRows {
 public:
  FEATHERLINE_INLINE explicit MovedRows(const S* matrix) : rest_(matrix) {
    each(Known<first>{}, Known<count>{}, [&](auto k) FEATHERLINE_INLINE_LAMBDA {
      column_[k - first] = load_vector<lanes>(matrix + Moves::height(count) * k + r);
    });
  }
  FEATHERLINE_INLINE void put(const S* x, S* to) const {
    auto sum = column_[0] * x[first];
    each(Known<first + 1>{}, Known<count>{},
         [&](auto k) FEATHERLINE_INLINE_LAMBDA { sum += column_[k - first] * x[k]; });
    store_vector<lanes, S>(sum, to + r);
    rest_.put(x, to);
  }

 private:
  static constexpr int first = count == 6 && r >= 3 ? 3 : 0, end = r + lanes;
  static constexpr int fitting(int width) { return end + width <= count ? width : fitting(width / 2); }
  template <bool has_more>
  static auto rest() {
    if constexpr (has_more) {
      return static_cast<MovedRows<S, end, count, fitting(lanes)>*>(nullptr);
    } else {
      return static_cast<NoRows*>(nullptr);
    }
  }
  using Rest = std::remove_pointer_t<decltype(rest<(end < count)>())>;

  typename VectorOf<S, lanes>::type column_[count - first];
  Rest rest_;
};

/// The rows of q' in columns of A or B, X: 2 n x n, whose rows of v' are known: time d(q (+) w)/dw of these.
template <class Tree, class S>
class PositionRows {
 public:
  FEATHERLINE_INLINE PositionRows(const Tree& tree, const S* moves)
      : tree_(tree), joints_(moved_joints(tree)), moves_(moves) {}

  FEATHERLINE_INLINE void put(S* X, int begin, int end) const {
    const int base = joints_.size_of_base();
    if (base == 6) put_with<6>(moves_ + Moves::first, X, begin, end);
    if (base == 3) put_with<3>(moves_ + Moves::first, X, begin, end);
    if (base == 0) put_with<0>(moves_, X, begin, end);
    each_joint([&](const auto& joint, const S* block) FEATHERLINE_INLINE_LAMBDA {
      if (joint.first == 0) return;
      if (joint.count == 6) put_alone<6>(block, X + joint.first, begin, end);
      if (joint.count == 3) put_alone<3>(block, X + joint.first, begin, end);
    });
  }

  /// Adds d(q (+) w)/dq to columns by q, from `begin` on, where a joint begins.
  FEATHERLINE_INLINE void add_positions(S* X, int begin) const {
    const int n = tree_.nv;
    int j = begin;
    const auto add_ones = [&](int end) FEATHERLINE_INLINE_LAMBDA {
      for (; j < end; ++j) X[(2 * n + 1) * j] = X[(2 * n + 1) * j] + S(1);
    };
    each_joint([&](const auto& joint, const S* block) FEATHERLINE_INLINE_LAMBDA {
      if (joint.first < begin || joint.count < 3) return;
      add_ones(joint.first);
      for (const int end = joint.first + joint.count; j < end; ++j, block += Moves::height(joint.count)) {
        S* to = X + 2 * n * j + joint.first;
        for (int k = 0; k < joint.count; ++k) to[k] = to[k] + block[k];
      }
    });
    add_ones(n);
  }

 private:
  static constexpr int width = PackOf<S>::width;
  static constexpr int of_joint = width < 2 ? 1 : 2, of_base = width < Moves::width ? width : Moves::width;
  template <int count>
  using Rows = MovedRows<S, 0, count, count == 6 ? of_base : of_joint>;

  template <class Visit>
  FEATHERLINE_INLINE void each_joint(const Visit& visit) const {
    const S* block = moves_ + Moves::first;
    for (int k = 0; k < joints_.count; ++k) {
      visit(joints_.list.data[k], block);
      block += Moves::size(joints_.list.data[k].count);
    }
  }

  template <int count>
  FEATHERLINE_INLINE void put_alone(const S* block, S* X, int begin, int end) const {
    const int n = tree_.nv;
    const Rows<count> rows(block + Moves::height(count) * count);
    for (int j = begin; j < end; ++j) rows.put(X + 2 * n * j + n, X + 2 * n * j);
  }

  /// The rows of a base with `base` coordinates, and dt times all others.
  template <int base>
  FEATHERLINE_INLINE void put_with(const S* block, S* X, int begin, int end) const {
    const int n = tree_.nv;
    const std::conditional_t<base == 0, NoRows, Rows<base == 0 ? 3 : base>> rows(block +
                                                                                 Moves::height(base) * base);
    const S dt = moves_[Moves::of_v];
    // 8 KB of code otherwise, for hyq
    FEATHERLINE_ROLLED
    for (int j = begin; j < end; ++j) {
      S* to = X + 2 * n * j;
      rows.put(to + n, to);
      put_multiple<false, width>(dt, to + n + base, n - base, to + base);
    }
  }

  const Tree& tree_;
  JointsOf<Tree> joints_;
  const S* moves_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
