// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/ancestor_panel.hpp>

/// The vectors of pairs and the products of triples of degrees of freedom of paper 002, Algorithm 1.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// u1 to u12 of paper 002 for one axis p and all axes t above, component by component.
template <class Tree, class S>
struct PairVectors {
  enum { u1 = 0, u2 = 3, u3 = 9, u5 = 15, u6 = 18, u7 = 24, u9 = 30, u10 = 36, u11 = 42, count = 45 };
  static constexpr int stride = AncestorPanel<Tree, S>::stride;
  S data[count * stride];

  void compute(const AxisOperators<S>& A, const AncestorPanel<Tree, S>& panel) {
    for (int y = 0; y < panel.size(); y += panel.width) {
      const auto s = panel.screw(row_S, y), Pd = panel.screw(row_Pd, y), Pdd = panel.screw(row_Pdd, y);
      const auto rate = panel.screw(row_rate, y);
      put(u1, y, A.A3.transposed_times(s));
      put(u2, y, A.Bs.without_momentum(s));
      put(u3, y, A.A3.times(Pd) + A.Bs.without_momentum(Pdd) + cross_dual(s, A.t3));
      put(u5, y, cross(s.a, A.t4) - A.Bs.transposed_times(Pd));
      put(u6, y, A.Bs.times(Pd) + cross_dual(s, A.t2));
      put(u7, y, A.A3.times(s) + A.Bs.without_momentum(rate));
      put(u9, y, cross_dual(s, A.t1));
      put(u10, y, A.Bs.times(s));
      put(u11, y, A.Bs.transposed_times(s));
    }
  }
  Triple<S> triple(int u, int y) const {
    const S* x = data + u * stride + y;
    return {x[0], x[stride], x[2 * stride]};
  }
  Screw<S> screw(int u, int y) const { return {triple(u, y), triple(u + 3, y)}; }

 private:
  void put(int u, int y, const Triple<Pack<S>>& x) {
    S* to = data + u * stride + y;
    store_pack<S>(x.x, to);
    store_pack<S>(x.y, to + stride);
    store_pack<S>(x.z, to + 2 * stride);
  }
  void put(int u, int y, const Screw<Pack<S>>& x) {
    put(u, y, x.a);
    put(u + 3, y, x.b);
  }
};

/// The scalar products with all axes r above t.
template <class Tree, class S>
struct Products {
  enum { p1, p2, qq_below, qv_below, vv, m_below, qq_above, m_above, qv_above, s_u6, s_u7, s_u10, count };
  static constexpr int stride = AncestorPanel<Tree, S>::stride;
  S data[count * stride];

  void compute(const PairVectors<Tree, S>& u, const Screw<S>& u10, int y, int size,
               const AncestorPanel<Tree, S>& panel) {
    using U = PairVectors<Tree, S>;
    const auto u1 = u.triple(U::u1, y), u5 = u.triple(U::u5, y), u11 = u.triple(U::u11, y);
    const auto u2 = u.screw(U::u2, y), u3 = u.screw(U::u3, y), u6 = u.screw(U::u6, y), u7 = u.screw(U::u7, y);
    const auto u9 = u.screw(U::u9, y);
    for (int x = 0; x < size; x += panel.width) {
      const auto s = panel.screw(row_S, x), Pdd = panel.screw(row_Pdd, x), rate = panel.screw(row_rate, x);
      const auto Pd = panel.triple(row_Pd, x);
      put(p1, x, dot(u11, Pd));
      put(p2, x, dot(u5, Pd) + dot(u9, Pdd));
      put(qq_below, x, dot(u1, Pd) + dot(u2, Pdd));
      put(qv_below, x, dot(u1, s.a) + dot(u2, rate));
      put(vv, x, dot(u11, s.a));
      put(m_below, x, dot(u2, s));
      put(qq_above, x, dot(u3, s));
      put(m_above, x, dot(u9, s));
      put(qv_above, x, dot(u5, s.a) + dot(u9, rate));
      put(s_u6, x, dot(u6, s));
      put(s_u7, x, dot(u7, s));
      put(s_u10, x, dot(u10, s));
    }
  }
  S at(int which, int x) const { return data[which * stride + x]; }

 private:
  void put(int which, int x, const Pack<S>& value) { store_pack<S>(value, data + which * stride + x); }
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
