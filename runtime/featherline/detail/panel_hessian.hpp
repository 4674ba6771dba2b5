// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_motion.hpp>
#include <featherline/prepare.hpp>

#include <cstddef>

/// Second derivatives contracted with a vector w, in panels. W is the velocity that a body would have at joint rates w.
/// The sums over a subtree are
///
///   G     = sum of I W
///   N     = sum of (2 B)^T W
///   2 B_W = 2 B with W in place of v. Its momentum is G.
///
/// An axis has these vectors. The x are per unit of its coordinate, the y per unit of its velocity:
///
///   Omega = W_parent x S
///   t1    = I S
///   x_f   = 2 B Pd + I Pdd + S x* f
///   x_G   = S x* G + I Omega
///   x_N   = S x N + 2 B^T Omega - 2 B_W^T Pd
///   y_f   = 2 B S + I (Pd + Sd)
///   y_N   = -2 B_W^T S
///
/// The entries of column j are, for rows i behind it (left) and above it (right):
///
///   qq(i, j)    x_f_i . Omega_j + x_G_i . Pdd_j + x_N_i . Pd_j       the same, i and j exchanged
///   vv(i, j)    y_N_i . S_j                                          the same, i and j exchanged
///   qv(i, j)    x_G_i . (Pd_j + Sd_j) + x_N_i . S_j                  y_f_j . Omega_i + y_N_j . Pd_i
///   dMw(i, j)   t1_i . Omega_j                                       x_G_j . S_i
///
/// Inside one joint, qv is that of a row above. dMw is t1_i . Omega_j. qq and vv of two different axes have their
/// indices exchanged. The gradient along S_j x S_i is added to them.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows of what an axis has for contracted derivatives.
enum RateRow {
  rate_Omega = 0,
  rate_t1 = 6,
  rate_xf = 12,
  rate_xG = 18,
  rate_xN = 24,
  rate_yf = 27,
  rate_yN = 33,
  num_rate_rows = 36
};

/// What w adds to composites: 2 B^C_W as K, n, f, then N.
inline constexpr int num_weighted = 16;
template <class T>
struct Weighted {
  Coriolis<T> B;
  Vector3<T> N;

  Force<T> G() const { return {B.n, B.f}; }
};

template <class Tree, class S>
class HessianPanels : PanelRanges<Tree, S, 4> {
  using Ranges = PanelRanges<Tree, S, 4>;
  using PanelMotion = detail::PanelMotion<Tree, S, 4>;

 public:
  HessianPanels(const PanelMotion& motion, const S* w)
      : Ranges(motion),
        motion_(motion),
        w_(w),
        W_(Tree::max_places),
        rates_(Tree::max_places),
        weighted_(whole_rows<4>(Tree::max_places)) {}

  /// What bodies add to composites. The motion holds those of single bodies then.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_bodies() {
    code_begins<Tree, S>();
    const int places = Tree::num_slots + Tree::num_roots;
    W_.clear(Tree::num_slots, whole_rows<4>(places));
    if (Tree::floating) W_.put(0, Tree::num_slots, Motion<S>{{w_[3], w_[4], w_[5]}, {w_[0], w_[1], w_[2]}});
    for (int b = 0; b < Tree::num_bodies; ++b) {
      const PanelBody& body = Tree::bodies[b];
      Motion<S> W = W_.template motion<S>(0, body.parent);
      for (int slot = body.first; slot <= body.last; ++slot) {
        W_.put(0, slot, W);
        W = W + motion_.template axis<S>(axis_S, slot) * w_[Tree::coordinates[slot]];
      }
      W_.put(0, body.last, W);
    }
    for (int slot = 0; slot < places; slot += 4) {
      const Composite<Four<S>> body = motion_.composites(slot);
      const auto W = W_.template motion<Four<S>>(0, slot);
      const Coriolis<Four<S>> B = coriolis(body.I, W, body.I * W);
      const Vector3<Four<S>> N = body.B.transposed_times(W);
      store_slots(B.K.xx, B.K.xy, B.K.xz, B.K.yy, 0, weighted_.data + slot);
      store_slots(B.K.yz, B.K.zz, B.n.x, B.n.y, 4, weighted_.data + slot);
      store_slots(B.n.z, B.f.x, B.f.y, B.f.z, 8, weighted_.data + slot);
      store_slots(N.x, N.y, N.z, Four<S>(S(0.0)), 12, weighted_.data + slot);
    }
    code_ends<Tree, S>();
  }

  /// The sums over subtrees, and what axes change. The motion holds composites of subtrees now.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_rates() {
    code_begins<Tree, S>();
    Ranges::add_subtrees(weighted_.data);
    rates_.clear(whole_rows<4>(Tree::num_slots), whole_rows<4>(Tree::num_slots) + 4);
    for (int slot = 0; slot < Tree::num_slots; slot += 4) {
      const auto s = motion_.template axis<Four<S>>(axis_S, slot);
      // Of the only axis of a joint, with W of the body itself.
      rates_.put(rate_Omega, slot, cross(W_.template motion<Four<S>>(0, slot), s));
    }
    if (!Tree::single_axes) {
      for (int b = 0; b < Tree::num_bodies; ++b) correct_axes(Tree::bodies[b]);
    }
    for (int slot = 0; slot < Tree::num_slots; slot += 4) put_rates(slot);
    code_ends<Tree, S>();
  }

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write_hessian(S* H) const {
    code_begins<Tree, S>();
    const std::ptrdiff_t n = Tree::nv;
    for (const PanelSegment& segment : Tree::segments) {
      for (int k = 0; k < segment.count; ++k)
        write_column(segment, segment.first + k, H + 2 * n * (segment.row + k),
                     H + 2 * n * (n + segment.row + k));
    }
    for (int b = 0; b < Tree::num_bodies; ++b) write_joint(Tree::bodies[b], H);
    if (Tree::floating) {
      Ranges::for_all_rows([&](const PanelRows& rows)
                               FEATHERLINE_INLINE_LAMBDA { write_columns_of_base(rows, H); });
      write_base(H);
    }
    code_ends<Tree, S>();
  }

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write_mass_matrix_derivative(S* dMw_dq) const {
    code_begins<Tree, S>();
    for (const PanelSegment& segment : Tree::segments) {
      for (int k = 0; k < segment.count; ++k) {
        const int j = segment.first + k, own = Ranges::first_of_joint(j);
        S* column = dMw_dq + Tree::nv * (segment.row + k);
        const auto Omega = rates_.template motion<S>(rate_Omega, j);
        const auto x_G = rates_.template force<S>(rate_xG, j);
        Ranges::for_each_rows_below(segment, own, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
          const auto t1 = rates_.template force<Four<S>>(rate_t1, rows.slot);
          Ranges::store_rows(dot(t1, Omega), rows.count, column + rows.row);
        });
        Ranges::for_each_rows_above(
            segment, own, false, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
              Ranges::store_rows(dot(x_G, motion_.template axis<Four<S>>(axis_S, rows.slot)), rows.count,
                                 column + rows.row);
            });
        if (Tree::floating) {
          Ranges::store_vector(x_G.f, column);
          Ranges::store_vector(x_G.n, column + 3);
        }
      }
    }
    code_ends<Tree, S>();
  }

 private:
  template <class T>
  Weighted<T> weighted(int slot) const {
    Weighted<T> y;
    if constexpr (std::is_same_v<T, S>) {
      const S* x = weighted_.data[slot];
      y = {{{x[0], x[1], x[2], x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}},
           {x[12], x[13], x[14]}};
    } else {
      T unused;
      load_slots(weighted_.data + slot, 0, y.B.K.xx, y.B.K.xy, y.B.K.xz, y.B.K.yy);
      load_slots(weighted_.data + slot, 4, y.B.K.yz, y.B.K.zz, y.B.n.x, y.B.n.y);
      load_slots(weighted_.data + slot, 8, y.B.n.z, y.B.f.x, y.B.f.y, y.B.f.z);
      load_slots(weighted_.data + slot, 12, y.N.x, y.N.y, y.N.z, unused);
    }
    return y;
  }

  /// A joint with several axes: W of the parent.
  void correct_axes(const PanelBody& body) {
    const auto W = W_.template motion<S>(0, body.parent);
    for (int slot = body.first; body.first < body.last && slot <= body.last; ++slot)
      rates_.put(rate_Omega, slot, cross(W, motion_.template axis<S>(axis_S, slot)));
  }

  void put_rates(int slot) {
    const Composite<Four<S>> body = motion_.composites(slot);
    const Weighted<Four<S>> weight = weighted<Four<S>>(slot);
    const auto s = motion_.template axis<Four<S>>(axis_S, slot),
               Pd = motion_.template axis<Four<S>>(axis_Pd, slot),
               Pdd = motion_.template axis<Four<S>>(axis_Pdd, slot),
               rate = motion_.template axis<Four<S>>(axis_rate, slot),
               Omega = rates_.template motion<Four<S>>(rate_Omega, slot);
    rates_.put(rate_t1, slot, body.I * s);
    rates_.put(rate_xf, slot, force_of_step(body.I, body.B, body.F, s, Pd, Pdd));
    rates_.put(rate_xG, slot, cross_dual(s, weight.G()) + body.I * Omega);
    rates_.put(rate_xN, slot,
               cross(s.w, weight.N) + body.B.transposed_times(Omega) - weight.B.transposed_times(Pd));
    rates_.put(rate_yf, slot, force_of_speed(body.I, body.B, s, rate));
    rates_.put(rate_yN, slot, -weight.B.transposed_times(s));
  }

  /// The columns j of both halves.
  void write_column(const PanelSegment& segment, int j, S* q, S* v) const {
    const int n = Tree::nv, own = Ranges::first_of_joint(j);
    write_rows_below(segment, own, j, q, v);
    const auto x_f = rates_.template force<S>(rate_xf, j), x_G = rates_.template force<S>(rate_xG, j),
               y_f = rates_.template force<S>(rate_yf, j);
    const auto x_N = rates_.template vector<S>(rate_xN, j), y_N = rates_.template vector<S>(rate_yN, j);
    Ranges::for_each_rows_above(segment, own, false, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
      const auto s = motion_.template axis<Four<S>>(axis_S, rows.slot),
                 Pdd = motion_.template axis<Four<S>>(axis_Pdd, rows.slot),
                 rate = motion_.template axis<Four<S>>(axis_rate, rows.slot),
                 Omega = rates_.template motion<Four<S>>(rate_Omega, rows.slot);
      const auto Pd = motion_.template vector<Four<S>>(axis_Pd, rows.slot);
      Ranges::store_rows(dot(x_f, Omega) + dot(x_G, Pdd) + dot(x_N, Pd), rows.count, q + rows.row);
      Ranges::store_rows(dot(x_G, rate) + dot(x_N, s.w), rows.count, q + n + rows.row);
      Ranges::store_rows(dot(y_f, Omega) + dot(y_N, Pd), rows.count, v + rows.row);
      Ranges::store_rows(dot(y_N, s.w), rows.count, v + n + rows.row);
    });
    if (Tree::floating) {
      const Motion<S> v_base = motion_.velocity(Tree::num_slots);
      Ranges::store_vector(cross(x_G.f, motion_.gravity()), q + 3);
      Ranges::store_vector(cross(x_G.f, v_base.w), q + n);
      Ranges::store_vector(cross(x_G.n, v_base.w) + cross(x_G.f, v_base.u) + x_N, q + n + 3);
      Ranges::store_vector(y_N, v + n + 3);
    }
  }

  void write_rows_below(const PanelSegment& segment, int own, int j, S* q, S* v) const {
    const int n = Tree::nv;
    const auto s = motion_.template axis<S>(axis_S, j), Pdd = motion_.template axis<S>(axis_Pdd, j),
               rate = motion_.template axis<S>(axis_rate, j),
               Omega = rates_.template motion<S>(rate_Omega, j);
    const auto Pd = motion_.template vector<S>(axis_Pd, j);
    Ranges::for_each_rows_below(segment, own, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
      const auto x_f = rates_.template force<Four<S>>(rate_xf, rows.slot),
                 x_G = rates_.template force<Four<S>>(rate_xG, rows.slot),
                 y_f = rates_.template force<Four<S>>(rate_yf, rows.slot);
      const auto x_N = rates_.template vector<Four<S>>(rate_xN, rows.slot),
                 y_N = rates_.template vector<Four<S>>(rate_yN, rows.slot);
      Ranges::store_rows(dot(x_f, Omega) + dot(x_G, Pdd) + dot(x_N, Pd), rows.count, q + rows.row);
      Ranges::store_rows(dot(y_f, Omega) + dot(y_N, Pd), rows.count, q + n + rows.row);
      Ranges::store_rows(dot(x_G, rate) + dot(x_N, s.w), rows.count, v + rows.row);
      Ranges::store_rows(dot(y_N, s.w), rows.count, v + n + rows.row);
    });
  }

  /// Rows and columns of one joint, of which write_column has written all but qv with the indices exchanged.
  void write_joint(const PanelBody& body, S* H) const {
    const std::ptrdiff_t n = Tree::nv;
    const auto at = [&](std::ptrdiff_t row, std::ptrdiff_t column) -> S& { return H[row + 2 * n * column]; };
    for (int j = body.first; j <= body.last; ++j) {
      const int c = Tree::coordinates[j];
      for (int i = body.first; i <= body.last; ++i)
        at(Tree::coordinates[i], n + c) = at(n + c, Tree::coordinates[i]);
      for (int i = body.first; i < j; ++i) {
        const int r = Tree::coordinates[i];
        const Motion<S> turned =
            cross(motion_.template axis<S>(axis_S, j), motion_.template axis<S>(axis_S, i));
        const S dq = gradient_q(body, turned), dv = dot(weighted<S>(body.last).G(), turned);
        exchange(at(r, c), at(c, r), dq);
        exchange(at(n + r, n + c), at(n + c, n + r), dv);
      }
    }
  }
  static void exchange(S& x, S& y, const S& change) {
    const S old = x;
    x = y + change;
    y = old - change;
  }
  S gradient_q(const PanelBody& body, const Motion<S>& s) const {
    const Motion<S> v = motion_.velocity(body.parent), a = motion_.acceleration(body.parent),
                    Pd = cross(v, s), Pdd = cross(a, s) + cross(v, Pd);
    const Weighted<S> weight = weighted<S>(body.last);
    return dot(motion_.composite(body.last).F, cross(W_.template motion<S>(0, body.parent), s)) +
           dot(weight.G(), Pdd) + dot(weight.N, Pd.w);
  }

  // A floating base: its axes are the unit vectors, its parent is at rest.

  void write_columns_of_base(const PanelRows& rows, S* H) const {
    const std::ptrdiff_t n = Tree::nv, column = 2 * n;
    const auto x_G = rates_.template force<Four<S>>(rate_xG, rows.slot);
    const auto x_N = rates_.template vector<Four<S>>(rate_xN, rows.slot),
               y_N = rates_.template vector<Four<S>>(rate_yN, rows.slot);
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    const auto put_rows = [&](const Vector3<Four<S>>& x, S* to) {
      Ranges::store_rows(x.x, rows.count, to);
      Ranges::store_rows(x.y, rows.count, to + column);
      Ranges::store_rows(x.z, rows.count, to + 2 * column);
    };
    S *q = H + rows.row, *to_v = q + n * column;
    put_rows(cross(x_G.f, motion_.gravity()), q + 3 * column);
    put_rows(cross(x_G.f, v.w), to_v);
    put_rows(cross(x_G.n, v.w) + cross(x_G.f, v.u) + x_N, to_v + 3 * column);
    put_rows(y_N, to_v + n + 3 * column);
  }

  /// Of turns p and r, qq is (e_p x f) . (-g x e_r) + f . (-g x (e_p x e_r)) with the force f of G, and vv is
  /// -K_rp. Of a turn p and a translation r, vv is f . (e_p x e_r).
  void write_base(S* H) const {
    const std::ptrdiff_t n = Tree::nv, column = 2 * n;
    const Weighted<S> weight = weighted<S>(Tree::num_slots);
    const Vector3<S> g = motion_.gravity(), f = weight.B.f;
    for (int p = 0; p < 3; ++p) {
      Vector3<S> e{};
      e[p] = S(1.0);
      const Vector3<S> qq = cross(cross(e, f), g), turned = cross(f, e);
      const Vector3<S> along = cross(cross(f, g), e);
      S *q = H + column * (3 + p), *v = H + column * (n + 3 + p) + n;
      Ranges::store_vector(qq + along, q + 3);
      Ranges::store_vector({-weight.B.K(0, p), -weight.B.K(1, p), -weight.B.K(2, p)}, v + 3);
      Ranges::store_vector(turned, v);
      for (int r = 0; r < 3; ++r) H[n + 3 + p + column * (n + r)] = turned[r];
    }
  }

  const PanelMotion& motion_;
  const S* w_;
  SlotTable<S, 4, 6, Ranges::known_places()> W_;
  SlotTable<S, 4, num_rate_rows, Ranges::known_places()> rates_;
  alignas(cache_line) Room<S[num_weighted], whole_rows_and<4>(Ranges::known_places(), 0)> weighted_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
