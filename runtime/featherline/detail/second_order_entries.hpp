// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/second_order_pairs.hpp>

#include <initializer_list>
#include <type_traits>

/// Where the products of paper 002, Algorithm 1 go in the four tensors.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// The four tensors, T(i, j, k) at i + n j + n^2 k.
template <class S>
struct Tensors {
  S *dqdq, *dvdv, *dqdv, *dM_dq;
  int n;

  void clear() const {
    for (S* T : {dqdq, dvdv, dqdv, dM_dq}) {
      for (int k = 0; k < n * n * n; ++k) T[k] = S(0);
    }
  }
};

/// Writes the products of a pair (p, t) with the axes r of a range of positions, or adds them where joints share
/// coordinates.
template <class Tree, class S>
class Writer {
 public:
  using P = Products<Tree, S>;

  Writer(const Tree& tree, const AncestorPanel<Tree, S>& panel, const P& products, int n)
      : tree_(tree), panel_(panel), products_(products), n_(n), n2_(n * n) {}

  void begin(int p, int t) {
    p_ = tree_.axes[p].idx_v;
    t_ = tree_.axes[t].idx_v;
    if constexpr (Tree::coupled) multiplier_ = multiplier(p) * multiplier(t);
  }
  void range(int from, int to) {
    from_ = from;
    to_ = to;
  }
  // T(p, t, r) and so on: `which` product, in the order of the indices. Minus writes its opposite.
  template <bool Minus = false>
  void ptr(S* T, int which) const {
    put<Minus>(T + p_ + n_ * t_, n2_, which);
  }
  template <bool Minus = false>
  void prt(S* T, int which) const {
    put<Minus>(T + p_ + n2_ * t_, n_, which);
  }
  void tpr(S* T, int which) const { put<false>(T + t_ + n_ * p_, n2_, which); }
  void trp(S* T, int which) const { put<false>(T + t_ + n2_ * p_, n_, which); }
  void rpt(S* T, int which) const { put<false>(T + n_ * p_ + n2_ * t_, 1, which); }
  void rtp(S* T, int which) const { put<false>(T + n_ * t_ + n2_ * p_, 1, which); }

 private:
  /// Of a coupled mimic joint, otherwise 1. In float for functions of float: no double gets into an image.
  static S multiplier(int axis) {
    using Real = std::conditional_t<std::is_same_v<S, float>, float, double>;
    return S(Tree::template multipliers<Real>[axis]);
  }

  template <bool Minus>
  void put(S* T, int stride, int which) const {
    for (int x = from_; x < to_; ++x) {
      const S value = Minus ? S(-products_.at(which, x)) : products_.at(which, x);
      S& entry = T[stride * panel_.coordinate(x)];
      if constexpr (Tree::coupled) {
        entry = entry + multiplier_ * multiplier(panel_.axis(x)) * value;
      } else {
        entry = value;
      }
    }
  }

  const Tree& tree_;
  const AncestorPanel<Tree, S>& panel_;
  const P& products_;
  int n_, n2_, p_ = 0, t_ = 0, from_ = 0, to_ = 0;
  S multiplier_ = S(1.0);
};

/// Lines 44 to 50: any r; `r_above_t` and `t_above_p`: in other joints.
template <class Tree, class S>
inline void write_all(const Writer<Tree, S>& w, const Tensors<S>& T, bool t_above_p, bool r_above_t) {
  using P = Products<Tree, S>;
  w.ptr(T.dqdq, P::p2);
  w.template prt<true>(T.dqdv, P::p1);
  if (!t_above_p) return;
  w.trp(T.dqdq, P::qq_below);
  w.tpr(T.dqdq, P::qq_below);
  w.tpr(T.dqdv, P::qv_below);
  w.trp(T.dqdv, P::p1);
  w.trp(T.dvdv, P::vv);
  w.tpr(T.dvdv, P::vv);
  w.trp(T.dM_dq, P::m_below);
  if (r_above_t) w.rtp(T.dM_dq, P::m_below);
}

/// Lines 53 to 64: r above t.
template <class Tree, class S>
inline void write_above(const Writer<Tree, S>& w, const Tensors<S>& T, bool t_above_p) {
  using P = Products<Tree, S>;
  w.prt(T.dqdq, P::p2);
  w.rpt(T.dqdq, P::qq_above);
  w.template ptr<true>(T.dvdv, P::vv);
  w.template prt<true>(T.dvdv, P::vv);
  w.ptr(T.dqdv, P::qv_above);
  w.rtp(T.dqdv, P::s_u6);
  w.rpt(T.dM_dq, P::m_above);
  w.prt(T.dM_dq, P::m_above);
  w.rtp(T.dvdv, P::s_u10);
  if (!t_above_p) return;
  w.rtp(T.dqdq, P::qq_above);
  w.rpt(T.dqdv, P::s_u7);
  w.rpt(T.dvdv, P::s_u10);
}

/// All entries whose deepest axis is p; lines 13 to 73 for one p.
template <class Tree, class S>
void write_axis(const Tree& tree, const AncestorPanel<Tree, S>& panel, const S* operators, int p,
                const Tensors<S>& T) {
  const AxisOperators<S> A(operators + num_operators * p);
  PairVectors<Tree, S> u;
  Products<Tree, S> products;
  u.compute(A, panel);
  Writer<Tree, S> writer(tree, panel, products, T.n);
  for (int y = 0; y < panel.size(); ++y) {
    const int t = panel.axis(y);
    const AxisInfo& joint = tree.axes[t];
    const bool t_above_p = joint.first != tree.axes[p].first;
    const int above = y - (t - joint.first),
              size = above + joint.count;  // axes above t's joint; up to its end
    // u4 in the place of u10 inside p's joint: s_p x* I s_t + s_t x* I s_p.
    Screw<S> u10 = u.screw(PairVectors<Tree, S>::u10, y);
    if (!t_above_p) {
      const AxisOperators<S> other(operators + num_operators * t);
      const int own = above + (p - joint.first);
      u10 = cross_dual(panel.screw_of(row_S, own), other.t1) + cross_dual(panel.screw_of(row_S, y), A.t1);
    }
    products.compute(u, u10, y, size, panel);
    writer.begin(p, t);
    writer.range(0, above);
    write_all(writer, T, t_above_p, true);
    write_above(writer, T, t_above_p);
    writer.range(above, size);
    write_all(writer, T, t_above_p, false);
    writer.template ptr<true>(T.dvdv, Products<Tree, S>::m_below);
  }
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
