// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_motion.hpp>

/// First-order IDSVA in panels (paper 000, equations 30 to 32).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows of the force vectors t1 to t4 of all axes; t4 is angular.
enum ForceRow { force_t1 = 0, force_t2 = 6, force_t3 = 12, force_t4 = 18, num_force_rows = 21 };

template <class Tree, class S>
class FirstOrderPanels : PanelRanges<Tree> {
  using Ranges = PanelRanges<Tree>;

 public:
  explicit FirstOrderPanels(const PanelMotion<Tree, S>& motion)
      : Ranges(motion), motion_(motion), forces_(Tree::max_places) {}

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_forces() {
    forces_.clear(whole_rows(Tree::num_slots), whole_rows(Tree::num_slots) + row_width);
    for (int slot = 0; slot < Tree::num_slots; slot += row_width) {
      const Composite<Row<S>> body = motion_.composites(slot);
      const auto s = motion_.template axis<Row<S>>(axis_S, slot),
                 Pd = motion_.template axis<Row<S>>(axis_Pd, slot),
                 Pdd = motion_.template axis<Row<S>>(axis_Pdd, slot),
                 rate = motion_.template axis<Row<S>>(axis_rate, slot);
      forces_.put(force_t1, slot, body.I * s);
      forces_.put(force_t2, slot, force_of_speed(body.I, body.B, s, rate));
      forces_.put(force_t3, slot, force_of_step(body.I, body.B, body.F, s, Pd, Pdd));
      forces_.put(force_t4, slot, body.B.transposed_times(s));
    }
  }

  /// Writes the columns of all axes, and the rows and columns of a floating base.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write(S* dtau_dq, S* dtau_dv) const {
    for (const PanelSegment& segment : Tree::segments) {
      for (int k = 0; k < segment.count; ++k) {
        S *dq = dtau_dq + Tree::nv * (segment.row + k), *dv = dtau_dv + Tree::nv * (segment.row + k);
        write_column(segment, segment.first + k, dq, dv);
        if (Tree::floating) write_rows_of_base(segment.first + k, dq, dv);
      }
    }
    if (Tree::floating) {
      Ranges::for_all_rows([&](const PanelRows& rows)
                               FEATHERLINE_INLINE_LAMBDA { write_columns_of_base(rows, dtau_dq, dtau_dv); });
      write_base(dtau_dq, dtau_dv);
    }
  }

 private:
  /// Column j, without the rows of a floating base.
  void write_column(const PanelSegment& segment, int j, S* dq, S* dv) const {
    const int own = Ranges::first_of_joint(j);
    const auto S_j = motion_.template axis<S>(axis_S, j), Pd = motion_.template axis<S>(axis_Pd, j),
               Pdd = motion_.template axis<S>(axis_Pdd, j), rate = motion_.template axis<S>(axis_rate, j);
    Ranges::for_each_rows_below(segment, own, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
      const auto t1 = forces_.template force<Row<S>>(force_t1, rows.slot);
      const auto t4 = forces_.template vector<Row<S>>(force_t4, rows.slot);
      Ranges::store_rows(dot(t1, Pdd) + dot(t4, Pd.w), rows.count, dq + rows.row);
      Ranges::store_rows(dot(t1, rate) + dot(t4, S_j.w), rows.count, dv + rows.row);
    });
    const auto t2 = forces_.template force<S>(force_t2, j), t3 = forces_.template force<S>(force_t3, j);
    Ranges::for_each_rows_above(segment, own, false, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
      const auto S_i = motion_.template axis<Row<S>>(axis_S, rows.slot);
      Ranges::store_rows(dot(t3, S_i), rows.count, dq + rows.row);
      Ranges::store_rows(dot(t2, S_i), rows.count, dv + rows.row);
    });
  }

  // A floating base: its axes are the unit vectors, its parent is at rest.

  void put_base(const Force<S>& f, S* to) const {
    Ranges::store_vector(f.f, to);
    Ranges::store_vector(f.n, to + 3);
  }
  void write_rows_of_base(int j, S* dq, S* dv) const {
    put_base(forces_.template force<S>(force_t3, j), dq);
    put_base(forces_.template force<S>(force_t2, j), dv);
  }

  /// Rows of up to four slots. Psi-double-dot is -g x e, S-dot is v x e.
  void write_columns_of_base(const PanelRows& rows, S* dtau_dq, S* dtau_dv) const {
    const int n = Tree::nv;
    const auto t1 = forces_.template force<Row<S>>(force_t1, rows.slot);
    const auto t4 = forces_.template vector<Row<S>>(force_t4, rows.slot);
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    const Vector3<S> gravity = motion_.gravity();
    const auto put = [&](const Vector3<Row<S>>& x, S* to) {
      Ranges::store_rows(x.x, rows.count, to + rows.row);
      Ranges::store_rows(x.y, rows.count, to + n + rows.row);
      Ranges::store_rows(x.z, rows.count, to + 2 * n + rows.row);
    };
    put(cross(t1.f, gravity), dtau_dq + 3 * n);
    put(cross(t1.f, v.w), dtau_dv);
    put(cross(t1.n, v.w) + cross(t1.f, v.u) + t4, dtau_dv + 3 * n);
  }

  void write_base(S* dtau_dq, S* dtau_dv) const {
    const int n = Tree::nv;
    const Composite<S> base = motion_.composite(Tree::num_slots);
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    for (int k = 0; k < 6; ++k) {
      Motion<S> e{};
      (k < 3 ? e.u : e.w)[k % 3] = S(1.0);
      put_base(force_of_speed(base.I, base.B, e, cross(v, e)), dtau_dv + n * k);
      if (k >= 3) put_base(base.I * Motion<S>{{}, cross(motion_.gravity(), e.w)}, dtau_dq + n * k);
    }
  }

  const PanelMotion<Tree, S>& motion_;
  SlotTable<S, num_force_rows, Ranges::known_places()> forces_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
