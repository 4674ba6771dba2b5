// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/first_order.hpp>

#include <utility>

/// Second-order IDSVA (paper 002, Algorithm 1): the operators of a degree of freedom, the vectors of a pair, the
/// products of a triple, and the tensor entries that the products belong to. Straight-line code and loops share this
/// file. They differ only in how they walk the tree.
namespace featherline::algebra {
inline namespace FEATHERLINE_REGISTERS {

/// The matrices A0 to A7 of one degree of freedom p (lines 15 to 24). Few numbers define each of them:
///   A0, A4, A5, A7   cross products with t1, t4, t3, t2 of the first order
///   A1               B(s) - A0; depends on 9 of the 12 numbers of B(s)
///   A2               -B(s)^T
///   A3               has the structure of B
template <class T>
struct AxisOperators {
  Coriolis<T> Bs, A3;
  Force<T> t2, t3;
  Vector3<T> t4;

  Force<T> t1() const { return {Bs.n, Bs.f}; }
};

/// A3 of a degree of freedom.
template <class T>
Coriolis<T> operator_A3(const Inertia<T>& I, const Coriolis<T>& B, const Motion<T>& S, const Motion<T>& Pd) {
  // The change of 2 B when all it is made of moves along S, S x* B - B S x, has the structure of B again: K moves like
  // J with the momentum f in the place of the first moment h.
  const Inertia<T> like_inertia{T(0.0), B.f, B.K};
  const Force<T> moved{cross(S.w, B.n) + cross(S.u, B.f), cross(S.w, B.f)};
  return coriolis(I, Pd, I * Pd) + coriolis(like_inertia, S, moved);
}

/// The operators of a degree of freedom, from the inertia, the Coriolis matrix and the force of its subtree.
///
///   t2 = 2 (n, f) + t4 + I (S-dot - Psi-dot)
///
/// is force_of_speed() with fewer operations. n and f are those of A3. The last term is zero for the only axis of a
/// joint, t4 is a moment.
template <class T>
AxisOperators<T> axis_operators(const Inertia<T>& I, const Coriolis<T>& B, const Force<T>& F,
                                const AxisMotion<T>& p) {
  const Coriolis<T> Bs = coriolis(I, p.S, I * p.S);
  const Coriolis<T> A3 = operator_A3(I, B, p.S, p.Pd);
  const Vector3<T> t4 = B.transposed_times(p.S);
  const Motion<T> of_joint{p.rate.w - (p.Pd.w + p.Pd.w), p.rate.u - (p.Pd.u + p.Pd.u)};
  const Force<T> t2 = Force<T>{A3.n + A3.n + t4, A3.f + A3.f} + I * of_joint;
  return {Bs, A3, t2, force_of_step(I, B, F, p.S, p.Pd, p.Pdd), t4};
}

/// The vectors u1 to u11 of a pair (p, t), t at or above p (lines 29 to 36). u8 equals u5, and u12 equals u2. If p
/// and t belong to one joint, u4 replaces u10.
template <class T>
struct PairVectors {
  Vector3<T> u1, u5, u11;
  Force<T> u2, u3, u6, u7, u9, u10;
};

template <class A, class M>
auto pair_vectors(const AxisOperators<A>& p, const AxisMotion<M>& t) {
  const Force<A> t1 = p.t1();
  PairVectors<Wider<A, M>> u;
  u.u1 = p.A3.transposed_times(t.S);
  u.u2 = p.Bs.without_momentum(t.S);
  u.u3 = p.A3.times(t.Pd) + p.Bs.without_momentum(t.Pdd) + cross_dual(t.S, p.t3);
  u.u5 = cross(t.S.w, p.t4) - p.Bs.transposed_times(t.Pd);
  u.u6 = p.Bs.times(t.Pd) + cross_dual(t.S, p.t2);
  u.u7 = p.A3.times(t.S) + p.Bs.without_momentum(t.rate);
  u.u9 = cross_dual(t.S, t1);
  u.u10 = p.Bs.times(t.S);
  u.u11 = p.Bs.transposed_times(t.S);
  return u;
}

/// u4 = s_p x* I s_t + s_t x* I s_p.
template <class T>
Force<T> vector_of_one_joint(const Motion<T>& S_p, const Force<T>& I_S_p, const Motion<T>& S_t,
                             const Force<T>& I_S_t) {
  return cross_dual(S_p, I_S_t) + cross_dual(S_t, I_S_p);
}

/// The scalar products of a pair's vectors with a third degree of freedom r at or above t (lines 42 to 64).
enum class Product {
  p1,
  p2,
  qq_below,
  qv_below,
  vv,
  m_below,
  qq_above,
  m_above,
  qv_above,
  s_u6,
  s_u7,
  s_u10
};
inline constexpr int num_products = 12;

template <Product which, class U, class M>
auto product(const PairVectors<U>& u, const AxisMotion<M>& r) {
  if constexpr (which == Product::p1) {
    return dot(u.u11, r.Pd.w);
  } else if constexpr (which == Product::p2) {
    return dot(u.u5, r.Pd.w) + dot(u.u9, r.Pdd);
  } else if constexpr (which == Product::qq_below) {
    return dot(u.u1, r.Pd.w) + dot(u.u2, r.Pdd);
  } else if constexpr (which == Product::qv_below) {
    return dot(u.u1, r.S.w) + dot(u.u2, r.rate);
  } else if constexpr (which == Product::vv) {
    return dot(u.u11, r.S.w);
  } else if constexpr (which == Product::m_below) {
    return dot(u.u2, r.S);
  } else if constexpr (which == Product::qq_above) {
    return dot(u.u3, r.S);
  } else if constexpr (which == Product::m_above) {
    return dot(u.u9, r.S);
  } else if constexpr (which == Product::qv_above) {
    return dot(u.u5, r.S.w) + dot(u.u9, r.rate);
  } else if constexpr (which == Product::s_u6) {
    return dot(u.u6, r.S);
  } else if constexpr (which == Product::s_u7) {
    return dot(u.u7, r.S);
  } else {
    return dot(u.u10, r.S);
  }
}

enum class Tensor { dqdq, dvdv, dqdv, dM_dq };

/// In which order p, t and r are the indices of an entry.
enum class Order { ptr, prt, tpr, trp, rpt, rtp };

/// The relation of t to p and of r to t that an entry asks for: `above` is in another joint, nearer to the root.
struct Asks {
  bool t_above_p = false, r_above_t = false, r_beside_t = false;
};

/// A product, or minus that, belongs to an entry of a tensor.
struct Entry {
  Tensor tensor;
  Order order;
  Product product;
  bool minus;
  Asks asks;

  constexpr bool applies(bool t_above_p, bool r_above_t) const {
    if (asks.t_above_p && !t_above_p) return false;
    return r_above_t ? !asks.r_beside_t : !asks.r_above_t;
  }
};

// Lines 42 to 67.
inline constexpr Asks always{}, t_above{true}, r_above{false, true}, both_above{true, true},
    r_beside{false, false, true};
inline constexpr Entry entries[] = {
    {Tensor::dqdq, Order::ptr, Product::p2, false, always},
    {Tensor::dqdv, Order::prt, Product::p1, true, always},
    {Tensor::dqdq, Order::trp, Product::qq_below, false, t_above},
    {Tensor::dqdq, Order::tpr, Product::qq_below, false, t_above},
    {Tensor::dqdv, Order::tpr, Product::qv_below, false, t_above},
    {Tensor::dqdv, Order::trp, Product::p1, false, t_above},
    {Tensor::dvdv, Order::trp, Product::vv, false, t_above},
    {Tensor::dvdv, Order::tpr, Product::vv, false, t_above},
    {Tensor::dM_dq, Order::trp, Product::m_below, false, t_above},
    {Tensor::dM_dq, Order::rtp, Product::m_below, false, both_above},
    {Tensor::dqdq, Order::prt, Product::p2, false, r_above},
    {Tensor::dqdq, Order::rpt, Product::qq_above, false, r_above},
    {Tensor::dvdv, Order::ptr, Product::vv, true, r_above},
    {Tensor::dvdv, Order::prt, Product::vv, true, r_above},
    {Tensor::dqdv, Order::ptr, Product::qv_above, false, r_above},
    {Tensor::dqdv, Order::rtp, Product::s_u6, false, r_above},
    {Tensor::dM_dq, Order::rpt, Product::m_above, false, r_above},
    {Tensor::dM_dq, Order::prt, Product::m_above, false, r_above},
    {Tensor::dvdv, Order::rtp, Product::s_u10, false, r_above},
    {Tensor::dqdq, Order::rtp, Product::qq_above, false, both_above},
    {Tensor::dqdv, Order::rpt, Product::s_u7, false, both_above},
    {Tensor::dvdv, Order::rpt, Product::s_u10, false, both_above},
    {Tensor::dvdv, Order::ptr, Product::m_below, true, r_beside},
};
inline constexpr int num_entries = sizeof(entries) / sizeof(entries[0]);

namespace unroll {

template <class Visit, int... k>
void each(std::integer_sequence<int, k...>, Visit&& visit) {
  (visit(std::integral_constant<int, k>{}), ...);
}

}  // namespace unroll

/// Calls visit(std::integral_constant<int, k>) for k = 0 to count - 1.
template <int count, class Visit>
void for_each_index(Visit&& visit) {
  unroll::each(std::make_integer_sequence<int, count>{}, visit);
}

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::algebra
