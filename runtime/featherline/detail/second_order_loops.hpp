// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/second_order.hpp>
#include <featherline/detail/axis_tree.hpp>
#include <featherline/detail/pack.hpp>
#include <featherline/detail/tree_storage.hpp>

/// Second-order IDSVA in loops. It applies the algebra of algebra/second_order.hpp to packs of degrees of freedom, and
/// it walks the tree.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

using algebra::AxisMotion;
using algebra::AxisOperators;
using algebra::Vector3;

/// Where each part begins in `operators`. B(s) and A3 are stored as K (xx, xy, xz, yy, yz, zz), n, f. Then come t2 and
/// t3 (moment, force), and t4.
enum OperatorEntry {
  entry_Bs = 0,
  entry_A3 = 12,
  entry_t2 = 24,
  entry_t3 = 30,
  entry_t4 = 36,
  num_operators = 39
};

template <class S>
inline Vector3<S> vector_at(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
inline algebra::Coriolis<S> coriolis_at(const S* x) {
  return {{x[0], x[1], x[2], x[3], x[4], x[5]}, vector_at(x + 6), vector_at(x + 9)};
}
/// The operators of one axis. `x` points at its part of `operators`.
template <class S>
inline AxisOperators<S> operators_at(const S* x) {
  return {coriolis_at(x + entry_Bs),
          coriolis_at(x + entry_A3),
          {vector_at(x + entry_t2), vector_at(x + entry_t2 + 3)},
          {vector_at(x + entry_t3), vector_at(x + entry_t3 + 3)},
          vector_at(x + entry_t4)};
}

/// The rows of `motion`. Each quantity has an angular and a linear half, each with x, y, z.
enum MotionRow { row_S = 0, row_Pd = 6, row_Pdd = 12, row_rate = 18, num_motion = 24 };

/// Axes on a path.
template <class Tree>
constexpr int known_path() {
  if constexpr (is_known_tree<Tree>) {
    return Tree::max_path;
  } else {
    return unknown;
  }
}

/// `rows` numbers of each axis on a path, the axes side by side.
template <class Tree, class S, int rows>
class PathTable : Extent<padded_or_unknown<S>(known_path<Tree>())> {
  static constexpr int stride_if_known = padded_or_unknown<S>(known_path<Tree>());

 public:
  static constexpr int width = PackOf<S>::width;

  explicit PathTable(const Tree& tree)
      : Extent<stride_if_known>(padded<S>(tree.max_path)), x_(rows * stride()) {}

  void clear() {
    for (int k = 0; k < rows * stride(); ++k) x_.data[k] = S(0);
  }
  S& at(int row, int y) { return x_.data[row * stride() + y]; }
  const S& at(int row, int y) const { return x_.data[row * stride() + y]; }

  // A pack of axes that begins at y.
  void put(int row, int y, const Pack<S>& x) { store_pack<S>(x, &at(row, y)); }
  void put(int row, int y, const Vector3<Pack<S>>& x) {
    put(row, y, x.x);
    put(row + 1, y, x.y);
    put(row + 2, y, x.z);
  }
  void put(int row, int y, const algebra::Force<Pack<S>>& x) {
    put(row, y, x.n);
    put(row + 3, y, x.f);
  }
  algebra::Motion<Pack<S>> pack(int row, int y) const { return {vectors(row, y), vectors(row + 3, y)}; }

  // One axis.
  Vector3<S> vector(int row, int y) const { return {at(row, y), at(row + 1, y), at(row + 2, y)}; }
  algebra::Motion<S> motion(int row, int y) const { return {vector(row, y), vector(row + 3, y)}; }
  algebra::Force<S> force(int row, int y) const { return {vector(row, y), vector(row + 3, y)}; }

 private:
  constexpr int stride() const { return Extent<stride_if_known>::value; }
  Vector3<Pack<S>> vectors(int row, int y) const {
    return {load_pack(&at(row, y)), load_pack(&at(row + 1, y)), load_pack(&at(row + 2, y))};
  }

  Room<S, stride_if_known == unknown ? unknown : rows * stride_if_known> x_;
};

/// The motion of all axes from the root to one joint.
template <class Tree, class S>
class AncestorPanel {
 public:
  static constexpr int width = PackOf<S>::width;

  AncestorPanel(const Tree& tree, const S* motion)
      : tree_(tree), motion_(motion), axes_(tree.max_path), coordinates_(tree.max_path), table_(tree) {
    table_.clear();
  }

  /// Collects the axes of the joint that `axis` belongs to, and of all joints above it. Axes that the panel already
  /// holds from the previous joint stay where they are.
  void gather(int axis) {
    const int old_size = size_;
    size_ = 0;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) size_ += tree_.axes[k].count;
    int end = size_;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) {
      const AxisInfo& joint = tree_.axes[k];
      if (end <= old_size && axes_.data[end - 1] == joint.first + joint.count - 1) return;
      end -= joint.count;
      for (int c = 0; c < joint.count; ++c) copy(joint.first + c, end + c);
    }
  }

  int size() const { return size_; }
  int axis(int position) const { return axes_.data[position]; }
  int coordinate(int position) const { return coordinates_.data[position]; }

  /// A pack of axes that begins at `position`.
  AxisMotion<Pack<S>> pack(int position) const {
    return {table_.pack(row_S, position), table_.pack(row_Pd, position), table_.pack(row_Pdd, position),
            table_.pack(row_rate, position)};
  }
  /// S of one axis.
  algebra::Motion<S> subspace(int position) const { return table_.motion(row_S, position); }

 private:
  void copy(int axis, int position) {
    axes_.data[position] = axis;
    coordinates_.data[position] = tree_.axes[axis].idx_v;
    for (int row = 0; row < num_motion; ++row)
      table_.at(row, position) = motion_[row * tree_.num_axes + axis];
  }

  const Tree& tree_;
  const S* motion_;
  int size_ = 0;
  Room<int, known_path<Tree>()> axes_, coordinates_;
  PathTable<Tree, S, num_motion> table_;
};

/// The pair vectors of one axis p with each axis t above it.
template <class Tree, class S>
class PairPanel {
 public:
  explicit PairPanel(const Tree& tree) : table_(tree) {}

  void compute(const AxisOperators<S>& p, const AncestorPanel<Tree, S>& panel) {
    for (int y = 0; y < panel.size(); y += panel.width) {
      const auto u = algebra::pair_vectors(p, panel.pack(y));
      table_.put(0, y, u.u1);
      table_.put(3, y, u.u5);
      table_.put(6, y, u.u11);
      table_.put(9, y, u.u2);
      table_.put(15, y, u.u3);
      table_.put(21, y, u.u6);
      table_.put(27, y, u.u7);
      table_.put(33, y, u.u9);
      table_.put(39, y, u.u10);
    }
  }
  algebra::PairVectors<S> at(int y) const {
    return {table_.vector(0, y), table_.vector(3, y), table_.vector(6, y),
            table_.force(9, y),  table_.force(15, y), table_.force(21, y),
            table_.force(27, y), table_.force(33, y), table_.force(39, y)};
  }

 private:
  PathTable<Tree, S, 45> table_;
};

/// The products of a pair (p, t) with all axes r above t.
template <class Tree, class S>
class ProductPanel {
 public:
  explicit ProductPanel(const Tree& tree) : table_(tree) {}

  void compute(const algebra::PairVectors<S>& u, int size, const AncestorPanel<Tree, S>& panel) {
    for (int x = 0; x < size; x += panel.width) {
      const auto r = panel.pack(x);
      algebra::for_each_index<algebra::num_products>(
          [&](auto k) { table_.put(k(), x, algebra::product<static_cast<algebra::Product>(k())>(u, r)); });
    }
  }
  const S& at(algebra::Product which, int x) const { return table_.at(static_cast<int>(which), x); }

 private:
  PathTable<Tree, S, algebra::num_products> table_;
};

/// The four tensors, in the order of algebra::Tensor. T(i, j, k) is at i + n j + n^2 k.
template <class S>
struct Tensors {
  S* T[4];
  int n;
};

/// Writes the products of a pair (p, t) with many axes r. If joints share coordinates, it adds them instead.
template <class Tree, class S>
class EntryWriter {
 public:
  EntryWriter(const Tree& tree, const AncestorPanel<Tree, S>& panel, const ProductPanel<Tree, S>& products,
              const Tensors<S>& tensors)
      : tree_(tree), panel_(panel), products_(products), tensors_(tensors) {}

  void begin(int p, int t) {
    p_ = tree_.axes[p].idx_v;
    t_ = tree_.axes[t].idx_v;
    if (tree_.coupled) multiplier_ = multiplier(p) * multiplier(t);
  }

  /// Writes the axes r at the positions from `from` up to, but without, `to`. Either all of them are in joints above
  /// that of t, or all are in the joint of t.
  template <bool r_above_t>
  void write(bool t_above_p, int from, int to) const {
    algebra::for_each_index<algebra::num_entries>([&](auto k) {
      constexpr algebra::Entry entry = algebra::entries[decltype(k)::value];
      if constexpr (entry.applies(true, r_above_t)) {
        if (t_above_p || !entry.asks.t_above_p) put<decltype(k)::value>(from, to);
      }
    });
  }

 private:
  /// The multiplier of a coupled mimic joint; 1 for any other joint. Functions of float read it as float, so that no
  /// double gets into an image.
  S multiplier(int axis) const {
    using Real = std::conditional_t<std::is_same_v<S, float>, float, double>;
    if constexpr (is_known_tree<Tree>) {
      return S(Tree::template multipliers<Real>[axis]);
    } else {
      return S(tree_.multipliers[axis]);
    }
  }

  template <int k>
  void put(int from, int to) const {
    using algebra::Order;
    constexpr algebra::Entry entry = algebra::entries[k];
    constexpr Order o = entry.order;
    constexpr int place_of_p = o == Order::ptr || o == Order::prt   ? 0
                               : o == Order::tpr || o == Order::rpt ? 1
                                                                    : 2;
    constexpr int place_of_t = o == Order::tpr || o == Order::trp   ? 0
                               : o == Order::ptr || o == Order::rtp ? 1
                                                                    : 2;
    const int n = tensors_.n, strides[3] = {1, n, n * n};
    S* T = tensors_.T[static_cast<int>(entry.tensor)] + strides[place_of_p] * p_ + strides[place_of_t] * t_;
    const int stride = strides[3 - place_of_p - place_of_t];
    for (int x = from; x < to; ++x) {
      const S product = products_.at(entry.product, x);
      const S value = entry.minus ? S(-product) : product;
      S& target = T[stride * panel_.coordinate(x)];
      if (tree_.coupled) {
        target = target + multiplier_ * multiplier(panel_.axis(x)) * value;
      } else {
        target = value;
      }
    }
  }

  const Tree& tree_;
  const AncestorPanel<Tree, S>& panel_;
  const ProductPanel<Tree, S>& products_;
  const Tensors<S>& tensors_;
  int p_ = 0, t_ = 0;
  S multiplier_ = S(1.0);
};

/// Writes all entries whose deepest axis is p. These are lines 13 to 73 of Algorithm 1 in the paper
/// that algebra/second_order.hpp names, for one p.
template <class Tree, class S>
void write_axis(const Tree& tree, const AncestorPanel<Tree, S>& panel, const S* operators, int p,
                const Tensors<S>& T) {
  const AxisOperators<S> A = operators_at(operators + num_operators * p);
  PairPanel<Tree, S> pairs(tree);
  ProductPanel<Tree, S> products(tree);
  pairs.compute(A, panel);
  EntryWriter<Tree, S> writer(tree, panel, products, T);
  for (int y = 0; y < panel.size(); ++y) {
    const int t = panel.axis(y);
    const AxisInfo& joint = tree.axes[t];
    const bool t_above_p = joint.first != tree.axes[p].first;
    const int above = y - (t - joint.first),
              size = above + joint.count;  // the number of axes above t's joint, and the number up to its end
    algebra::PairVectors<S> u = pairs.at(y);
    if (!t_above_p) {
      const int own = above + (p - joint.first);
      u.u10 = algebra::vector_of_one_joint(panel.subspace(own), A.t1(), panel.subspace(y),
                                           operators_at(operators + num_operators * t).t1());
    }
    products.compute(u, size, panel);
    writer.begin(p, t);
    writer.template write<true>(t_above_p, 0, above);
    writer.template write<false>(t_above_p, above, size);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
