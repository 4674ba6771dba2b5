// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_motion.hpp>

/// First-order IDSVA in panels (paper 000, equations 30 to 32).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows of the force vectors t1 to t4 of all axes; t4 is angular.
enum ForceRow { force_t1 = 0, force_t2 = 6, force_t3 = 12, force_t4 = 18, num_force_rows = 21 };

/// Calls visit(slot, row, count) for rows of up to four slots of a range, from slot `from` on.
template <class Visit>
inline void for_each_row(const PanelRange& range, int from, const Visit& visit) {
  const int end = range.first + range.count;
  for (int slot = from > range.first ? from : range.first; slot < end; slot += row_width)
    visit(slot, range.row + slot - range.first, end - slot);
}

template <class Tree, class S>
class FirstOrderPanels {
 public:
  explicit FirstOrderPanels(const PanelMotion<Tree, S>& motion) : motion_(motion) {}

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_forces() {
    forces_.clear(whole_rows(Tree::num_slots), whole_rows(Tree::num_slots) + row_width);
    for (int slot = 0; slot < Tree::num_slots; slot += row_width) {
      const Composite<Row<S>> body = motion_.composites(slot);
      const auto s = motion_.template axis<Row<S>>(axis_S, slot),
                 Pd = motion_.template axis<Row<S>>(axis_Pd, slot),
                 Pdd = motion_.template axis<Row<S>>(axis_Pdd, slot),
                 rate = motion_.template axis<Row<S>>(axis_rate, slot);
      forces_.put(force_t1, slot, body.I * s);
      forces_.put(force_t2, slot, body.B.times(s) + body.I * rate);
      forces_.put(force_t3, slot, body.B.times(Pd) + body.I * Pdd + cross_dual(s, body.F));
      forces_.put(force_t4, slot, body.B.transposed_times(s));
    }
  }

  /// Writes the columns of all axes, and the rows and columns of a floating base.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write(S* dtau_dq, S* dtau_dv) const {
    for (const PanelSegment& segment : Tree::segments) {
      for (int k = 0; k < segment.count; ++k) {
        const int j = segment.first + k;
        S *dq = dtau_dq + Tree::nv * (segment.row + k), *dv = dtau_dv + Tree::nv * (segment.row + k);
        int own = j;
        if constexpr (!Tree::single_axes) own = Tree::joints[j];
        write_rows_below(segment, own, j, dq, dv);
        write_rows_above(segment, own, j, dq, dv);
        if constexpr (Tree::floating) write_rows_of_base(j, dq, dv);
      }
    }
    if constexpr (Tree::floating) {
      for (int r = Tree::all_begin; r < Tree::all_end; ++r) {
        for_each_row(Tree::ranges[r], 0, [&](int slot, int row, int count) {
          write_columns_of_base(slot, row, count, dtau_dq, dtau_dv);
        });
      }
      write_base(dtau_dq, dtau_dv);
    }
  }

 private:
  /// Of all joints from that of axis j on.
  void write_rows_below(const PanelSegment& segment, int own, int j, S* dq, S* dv) const {
    const auto s = motion_.template axis<S>(axis_S, j), Pd = motion_.template axis<S>(axis_Pd, j),
               Pdd = motion_.template axis<S>(axis_Pdd, j), rate = motion_.template axis<S>(axis_rate, j);
    for (int r = segment.below_begin; r < segment.below_end; ++r) {
      for_each_row(Tree::ranges[r], own, [&](int slot, int row, int count) {
        const auto t1 = forces_.template force<Row<S>>(force_t1, slot);
        const auto t4 = forces_.template vector<Row<S>>(force_t4, slot);
        store_first<S>(dot(t1, Pdd) + dot(t4, Pd.w), count, dq + row);
        store_first<S>(dot(t1, rate) + dot(t4, s.w), count, dv + row);
      });
    }
  }

  /// Of all joints above that of axis j, without the base.
  void write_rows_above(const PanelSegment& segment, int own, int j, S* dq, S* dv) const {
    const auto t2 = forces_.template force<S>(force_t2, j), t3 = forces_.template force<S>(force_t3, j);
    const auto write = [&](int slot, int row, int count) {
      const auto s = motion_.template axis<Row<S>>(axis_S, slot);
      store_first<S>(dot(t3, s), count, dq + row);
      store_first<S>(dot(t2, s), count, dv + row);
    };
    for (int r = segment.above_begin; r < segment.above_end; ++r) for_each_row(Tree::ranges[r], 0, write);
    for_each_row({segment.first, own - segment.first, segment.row}, 0, write);
  }

  // A floating base: its axes are the unit vectors, its parent is at rest.

  static void put_base(const Force<S>& f, S* to) {
    to[0] = f.f.x;
    to[1] = f.f.y;
    to[2] = f.f.z;
    to[3] = f.n.x;
    to[4] = f.n.y;
    to[5] = f.n.z;
  }
  void write_rows_of_base(int j, S* dq, S* dv) const {
    put_base(forces_.template force<S>(force_t3, j), dq);
    put_base(forces_.template force<S>(force_t2, j), dv);
  }

  /// Rows of up to four slots. Psi-double-dot is -g x e, S-dot is v x e.
  void write_columns_of_base(int slot, int row, int count, S* dtau_dq, S* dtau_dv) const {
    const int n = Tree::nv;
    const auto t1 = forces_.template force<Row<S>>(force_t1, slot);
    const auto t4 = forces_.template vector<Row<S>>(force_t4, slot);
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    const Vector3<S> gravity = motion_.gravity();
    const auto put = [&](const Vector3<Row<S>>& x, S* to) {
      store_first<S>(x.x, count, to + row);
      store_first<S>(x.y, count, to + n + row);
      store_first<S>(x.z, count, to + 2 * n + row);
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
      put_base(base.B.times(e) + base.I * cross(v, e), dtau_dv + n * k);
      if (k >= 3) put_base(base.I * Motion<S>{{}, cross(motion_.gravity(), e.w)}, dtau_dq + n * k);
    }
  }

  const PanelMotion<Tree, S>& motion_;
  SlotTable<S, num_force_rows, Tree::max_places> forces_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
