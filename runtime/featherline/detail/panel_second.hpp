// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_motion.hpp>
#include <featherline/prepare.hpp>

#include <cstddef>

/// Second-order IDSVA in panels (paper 002, Algorithm 1), with fewer operations. The tensors have rows i and two
/// columns. d is the deeper axis of the two columns. u is the other one, or another axis of d's joint. For each d, row
/// i has three vectors. They are made of the operators of paper 002, and they do not depend on u:
///
///   i above d           w1 = A3_d^T S_i                     w2 = A1_d S_i       w3 = 2 B(S_d)^T S_i
///   i at or below d     w1 = S_d x t4_i - 2 B(S_i)^T Pd_d   w2 = S_d x* t1_i    w3 = -2 B(S_i)^T S_d
///
/// "Above" means in another joint, nearer to the root. The entries are
///
///   qq(i, d, u), qq(i, u, d)   w1 . Pd_u + w2 . Pdd_u + Z . t3_d        Z = S_i x S_u if i is above u, otherwise 0
///   vv(i, d, u), vv(i, u, d)   w3 . S_u
///   M(i, u, d)                 X = w2 . S_u
///   M(i, d, u)                 Y = w3 . S_u - X if i is above u
///   qv(i, d, u)                w1 . S_u + w2 . (Pd_u + Sd_u)
///   qv(i, u, d)                w3 . Pd_u + Z . t2_d
///
/// If u is in the joint of d, there are only qq(i, d, u), M(i, d, u), qv(i, u, d) and vv(i, d, u). For rows above, vv
/// is 2 Y. For all rows, vv is then the mean over both orders of d and u.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

template <class S>
struct PanelTensors {
  S *qq, *vv, *qv, *M;
};

/// Rows of the operators of all axes: 2 B(S) and A3 as K, n, f, then t2, t3, t4.
enum OperatorRow {
  operator_Bs = 0,
  operator_A3 = 12,
  operator_t2 = 24,
  operator_t3 = 30,
  operator_t4 = 36,
  num_operator_rows = 39
};

/// w1 to w3 of up to four rows.
template <class S>
struct RowTriple {
  Vector3<Four<S>> w1;
  Force<Four<S>> w2;
  Vector3<Four<S>> w3;
};

template <class Tree, class S>
class SecondOrderPanels : PanelRanges<Tree, S, 4> {
  using Ranges = PanelRanges<Tree, S, 4>;
  using PanelMotion = detail::PanelMotion<Tree, S, 4>;

 public:
  SecondOrderPanels(const PanelMotion& motion, const PanelTensors<S>& tensors)
      : Ranges(motion), motion_(motion), T_(tensors), operators_(whole_rows_and<4>(Tree::max_places, 2)) {}

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_operators() {
    code_begins<Tree, S>();
    operators_.clear(whole_rows<4>(Tree::num_slots), whole_rows<4>(Tree::num_slots) + 4);
    for (int slot = 0; slot < Tree::num_slots; slot += 4) {
      const Composite<Four<S>> body = motion_.composites(slot);
      const auto s = motion_.template axis<Four<S>>(axis_S, slot),
                 Pd = motion_.template axis<Four<S>>(axis_Pd, slot),
                 Pdd = motion_.template axis<Four<S>>(axis_Pdd, slot),
                 rate = motion_.template axis<Four<S>>(axis_rate, slot);
      put(operator_Bs, slot, coriolis(body.I, s, body.I * s));
      put(operator_A3, slot, algebra::operator_A3(body.I, body.B, s, Pd));
      operators_.put(operator_t2, slot, force_of_speed(body.I, body.B, s, rate));
      operators_.put(operator_t3, slot, force_of_step(body.I, body.B, body.F, s, Pd, Pdd));
      operators_.put(operator_t4, slot, body.B.transposed_times(s));
    }
    if (Tree::floating) {
      const Composite<S> base = motion_.composite(Tree::num_slots);
      const Inertia<Four<S>> I{base.I.m, in_all_lanes(base.I.h), in_all_lanes(base.I.J)};
      for (int k = 0; k < 6; k += 4) {
        const auto s = motion_.template axis<Four<S>>(axis_S, Ranges::base_slot() + k);
        put(operator_Bs, Ranges::base_slot() + k, coriolis(I, s, I * s));
      }
    }
    code_ends<Tree, S>();
  }

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write() const {
    code_begins<Tree, S>();
    for (const PanelSegment& segment : Tree::segments) {
      for (int k = 0; k < segment.count; ++k) write_axis(segment, segment.first + k);
    }
    if (Tree::floating) {
      for (int k = 0; k < 6; k += 4) write_base({Ranges::base_slot() + k, k, 6 - k});
      Ranges::for_all_rows([&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA { write_base(rows); });
    }
    if (!Tree::single_axes) {
      for (int b = 0; b < Tree::num_bodies; ++b) symmetrise(Tree::bodies[b]);
    }
    code_ends<Tree, S>();
  }

 private:
  static Vector3<Four<S>> in_all_lanes(const Vector3<S>& x) { return {x.x, x.y, x.z}; }
  static Symmetric3<Four<S>> in_all_lanes(const Symmetric3<S>& A) {
    return {A.xx, A.xy, A.xz, A.yy, A.yz, A.zz};
  }

  void put(int row, int slot, const Coriolis<Four<S>>& B) {
    operators_.put(row, slot, Vector3<Four<S>>{B.K.xx, B.K.xy, B.K.xz});
    operators_.put(row + 3, slot, Vector3<Four<S>>{B.K.yy, B.K.yz, B.K.zz});
    operators_.put(row + 6, slot, B.n);
    operators_.put(row + 9, slot, B.f);
  }
  template <class T>
  Coriolis<T> coriolis_at(int row, int slot) const {
    const auto a = operators_.template vector<T>(row, slot), b = operators_.template vector<T>(row + 3, slot);
    return {{a.x, a.y, a.z, b.x, b.y, b.z},
            operators_.template vector<T>(row + 6, slot),
            operators_.template vector<T>(row + 9, slot)};
  }

  void write_axis(const PanelSegment& segment, int d) const {
    const int own = Ranges::first_of_joint(d);
    Ranges::for_each_rows_above(segment, own, Tree::floating,
                                [&](const PanelRows& rows)
                                    FEATHERLINE_INLINE_LAMBDA { write_rows<true>(segment, own, d, rows); });
    Ranges::for_each_rows_below(segment, own, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
      write_rows<false>(segment, own, d, rows);
    });
  }

  RowTriple<S> vectors_above(int d, const Motion<Four<S>>& s) const {
    const Coriolis<S> Bs = coriolis_at<S>(operator_Bs, d), A3 = coriolis_at<S>(operator_A3, d);
    return {A3.transposed_times(s), Bs.without_momentum(s), Bs.transposed_times(s)};
  }
  RowTriple<S> vectors_below(int d, int slot) const {
    const Coriolis<Four<S>> Bs = coriolis_at<Four<S>>(operator_Bs, slot);
    const auto t4 = operators_.template vector<Four<S>>(operator_t4, slot);
    const auto s = motion_.template axis<S>(axis_S, d), Pd = motion_.template axis<S>(axis_Pd, d);
    const Vector3<Four<S>> w1 = cross(s.w, t4) - Bs.transposed_times(Pd);
    return {w1, cross_dual(s, Force<Four<S>>{Bs.n, Bs.f}), -Bs.transposed_times(s)};
  }

  /// The rows, and all columns (d, u) and (u, d).
  template <bool above>
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write_rows(const PanelSegment& segment, int own, int d,
                                                           const PanelRows& rows) const {
    code_begins<Tree, S>();
    const int column = segment.row + d - segment.first;
    Motion<Four<S>> s;
    if constexpr (above) s = motion_.template axis<Four<S>>(axis_S, rows.slot);
    const RowTriple<S> w = [&] {
      if constexpr (above) {
        return vectors_above(d, s);
      } else {
        return vectors_below(d, rows.slot);
      }
    }();
    if (Tree::floating) write_columns_of_base(w, column, rows);
    Ranges::for_each_range_above(segment, own, false, [&](const PanelRange& range) FEATHERLINE_INLINE_LAMBDA {
      for (int k = 0; k < range.count; ++k)
        write_pair<above, false>(w, s, d, range.first + k, column, range.row + k, rows);
    });
    for (int u = own; u < Ranges::end_of_joint(d); ++u)
      write_pair<above, true>(w, s, d, u, column, segment.row + u - segment.first, rows);
    code_ends<Tree, S>();
  }

  /// How many of the rows are above u.
  int num_above(const PanelRows& rows, int u) const {
    const int count = rows.slot >= Ranges::base_slot() ? rows.count : Ranges::first_of_joint(u) - rows.slot;
    return count < rows.count ? count : rows.count;
  }
  /// x for the first `count` rows, 0 for the others.
  static Four<S> first_only(const Four<S>& x, int count) {
    static constexpr TableReal<S> mask[] = {1, 1, 1, 1, 0, 0, 0, 0};
    return count >= 4 ? x : x * constants<S, 4>(mask + 4 - count);
  }

  template <bool above, bool own>
  FEATHERLINE_INLINE void write_pair(const RowTriple<S>& w, const Motion<Four<S>>& s_i, int d, int u,
                                     int column_d, int column_u, const PanelRows& rows) const {
    const auto s = motion_.template axis<S>(axis_S, u), Pdd = motion_.template axis<S>(axis_Pdd, u);
    const auto Pd = motion_.template vector<S>(axis_Pd, u);
    const std::ptrdiff_t n = Tree::nv, du = rows.row + n * (column_d + n * column_u),
                         ud = rows.row + n * (column_u + n * column_d);
    Four<S> qq = dot(w.w1, Pd) + dot(w.w2, Pdd), vv = dot(w.w3, s.w), a = dot(w.w3, Pd);
    const Four<S> X = dot(w.w2, s);
    if constexpr (above) {
      const int higher = own ? rows.count : num_above(rows, u);
      if (own || higher > 0) {
        const Motion<Four<S>> Z = cross_rows(s_i, s);
        const Four<S> e3 = dot(operators_.template force<S>(operator_t3, d), Z),
                      e2 = dot(operators_.template force<S>(operator_t2, d), Z), Y = vv - X;
        qq = qq + (own ? e3 : first_only(e3, higher));
        a = a + (own ? e2 : first_only(e2, higher));
        if (own) vv = Y + Y;
        Ranges::store_rows(Y, higher, T_.M + du);
      }
    }
    Ranges::store_rows(qq, rows.count, T_.qq + du);
    Ranges::store_rows(vv, rows.count, T_.vv + du);
    Ranges::store_rows(a, rows.count, T_.qv + ud);
    if constexpr (!own) {
      const auto rate = motion_.template axis<S>(axis_rate, u);
      Ranges::store_rows(qq, rows.count, T_.qq + ud);
      Ranges::store_rows(vv, rows.count, T_.vv + ud);
      Ranges::store_rows(X, rows.count, T_.M + ud);
      Ranges::store_rows(dot(w.w1, s.w) + dot(w.w2, rate), rows.count, T_.qv + du);
    }
  }
  static Motion<Four<S>> cross_rows(const Motion<Four<S>>& v, const Motion<S>& m) {
    return {cross(v.w, m.w), cross(v.w, m.u) + cross(v.u, m.w)};
  }

  // A floating base: its axes are the unit vectors, its parent is at rest.

  /// The columns (d, u) and (u, d) of all u of the base.
  void write_columns_of_base(const RowTriple<S>& w, int column_d, const PanelRows& rows) const {
    const std::ptrdiff_t n = Tree::nv, n2 = n * n;
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    const std::ptrdiff_t du = rows.row + n * column_d, ud = rows.row + n2 * column_d;
    const auto put = [&](const Vector3<Four<S>>& x, S* to, std::ptrdiff_t stride) {
      Ranges::store_rows(x.x, rows.count, to);
      Ranges::store_rows(x.y, rows.count, to + stride);
      Ranges::store_rows(x.z, rows.count, to + 2 * stride);
    };
    const Vector3<Four<S>> qq = cross(w.w2.f, motion_.gravity());
    put(qq, T_.qq + du + 3 * n2, n2);
    put(qq, T_.qq + ud + 3 * n, n);
    put(w.w3, T_.vv + du + 3 * n2, n2);
    put(w.w3, T_.vv + ud + 3 * n, n);
    put(w.w2.f, T_.M + ud, n);
    put(w.w2.n, T_.M + ud + 3 * n, n);
    put(cross(w.w2.f, v.w), T_.qv + du, n2);
    put(cross(w.w2.n, v.w) + cross(w.w2.f, v.u) + w.w1, T_.qv + du + 3 * n2, n2);
  }

  /// Both columns are of the base: qq = (e_d x f_i) . (-g x e_u), vv = -e_u . A1_i e_d.
  void write_base(const PanelRows& rows) const {
    const std::ptrdiff_t n = Tree::nv;
    const Coriolis<Four<S>> B = coriolis_at<Four<S>>(operator_Bs, rows.slot);
    for (int d = 0; d < 3; ++d) {
      Motion<S> turn{};
      turn.w[d] = S(1.0);
      const Vector3<Four<S>> force = cross(turn.w, B.f), qq = cross(force, motion_.gravity());
      const Force<Four<S>> A1 = B.without_momentum(turn);
      for (int u = 0; u < 3; ++u) {
        const auto at = [&](int j, int k) { return rows.row + n * (j + n * k); };
        Ranges::store_rows(qq[u], rows.count, T_.qq + at(3 + d, 3 + u));
        Ranges::store_rows(-A1.n[u], rows.count, T_.vv + at(3 + d, 3 + u));
        if (u == d) continue;
        Ranges::store_rows(-A1.f[u], rows.count, T_.vv + at(3 + d, u));
        Ranges::store_rows(-A1.f[u], rows.count, T_.vv + at(u, 3 + d));
      }
    }
  }

  /// vv of two axes of one joint: the mean over both orders.
  void symmetrise(const PanelBody& body) const {
    const std::ptrdiff_t n = Tree::nv;
    for (int d = body.first; d <= body.last; ++d) {
      for (int u = body.first; u < d; ++u) {
        S *x = T_.vv + n * (Tree::coordinates[d] + n * Tree::coordinates[u]),
          *y = T_.vv + n * (Tree::coordinates[u] + n * Tree::coordinates[d]);
        for (int i = 0; i < n; ++i) x[i] = y[i] = (x[i] + y[i]) * S(0.5);
      }
    }
  }

  const PanelMotion& motion_;
  PanelTensors<S> T_;
  typename PanelMotion::template Table<num_operator_rows> operators_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
