// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/panel_motion.hpp>
#include <featherline/prepare.hpp>

/// First-order IDSVA in panels (paper 000, equations 30 to 32).
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

/// Rows of the force vectors t1 to t4 of all axes; t4 is angular.
enum ForceRow { force_t1 = 0, force_t2 = 6, force_t3 = 12, force_t4 = 18, num_force_rows = 21 };

template <class Tree, class S>
class FirstOrderPanels : PanelRanges<Tree, S, row_width<Tree, S>> {
  static constexpr int width = row_width<Tree, S>;
  using Ranges = PanelRanges<Tree, S, width>;
  using PanelMotion = detail::PanelMotion<Tree, S, width>;
  using Row = Lanes<S, width>;

 public:
  explicit FirstOrderPanels(const PanelMotion& motion)
      : Ranges(motion), motion_(motion), forces_(Tree::max_places) {}

  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_forces() {
    code_begins<Tree, S>();
    forces_.clear(whole_rows<width>(Tree::num_slots), whole_rows<width>(Tree::num_slots) + width);
    for (int slot = 0; slot < Tree::num_slots; slot += width) {
      const Composite<Row> body = motion_.composites(slot);
      const auto s = motion_.template axis<Row>(axis_S, slot), Pd = motion_.template axis<Row>(axis_Pd, slot),
                 Pdd = motion_.template axis<Row>(axis_Pdd, slot),
                 rate = motion_.template axis<Row>(axis_rate, slot);
      forces_.put(force_t1, slot, body.I * s);
      forces_.put(force_t2, slot, force_of_speed(body.I, body.B, s, rate));
      forces_.put(force_t3, slot, force_of_step(body.I, body.B, body.F, s, Pd, Pdd));
      forces_.put(force_t4, slot, body.B.transposed_times(s));
    }
    code_ends<Tree, S>();
  }

  /// Writes the columns of all axes, and the rows and columns of a floating base.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void write(S* dtau_dq, S* dtau_dv) const {
    code_begins<Tree, S>();
    for (const PanelSegment& segment : Tree::segments) {
      write_segment(segment, {dtau_dq + Tree::nv * segment.row, dtau_dv + Tree::nv * segment.row});
      if (Tree::floating) write_rows_of_base(segment, dtau_dq, dtau_dv);
    }
    if (Tree::floating) {
      Ranges::for_all_rows([&](const PanelRows& rows)
                               FEATHERLINE_INLINE_LAMBDA { write_columns_of_base(rows, dtau_dq, dtau_dv); });
      write_base(dtau_dq, dtau_dv);
    }
    code_ends<Tree, S>();
  }

 private:
  /// Columns of both matrices.
  struct Columns {
    S *dq, *dv;
  };
  struct Rows {
    Row dq, dv;
  };
  /// What rows below an axis have, and rows above it.
  struct RowsBelow {
    Force<Row> t1;
    Vector3<Row> t4;
  };

  /// The columns of a segment, without the rows of a floating base. A few rows stay in registers while all columns are
  /// computed: a column's numbers are read as factors for all lanes, which costs nothing beside a product. The
  /// segment's ranges below follow those above.
  void write_segment(const PanelSegment& segment, const Columns& to) const {
    for (int r = segment.above_begin; r < segment.below_end; ++r) {
      const bool above = r < segment.below_begin;
      Ranges::for_each_rows(Tree::ranges[r], 0, [&](const PanelRows& rows) FEATHERLINE_INLINE_LAMBDA {
        write_above(segment, above ? segment.first : write_below(segment, rows, to), rows, to);
      });
    }
  }

  /// The columns j whose joints have some of the rows at or below them. Returns the first other column.
  int write_below(const PanelSegment& segment, const PanelRows& rows, const Columns& to) const {
    const RowsBelow below{forces_.template force<Row>(force_t1, rows.slot),
                          forces_.template vector<Row>(force_t4, rows.slot)};
    const int end = segment.first + segment.count,
              last = rows.slot + (rows.count < width ? rows.count : width) - 1;
    int j = segment.first;
    for (; j < end && Ranges::first_of_joint(j) <= rows.slot; ++j)
      put(rows_below(below, j), segment, j, rows, to);
    const auto S_i = motion_.template axis<Row>(axis_S, rows.slot);
    for (; j < end && Ranges::first_of_joint(j) <= last; ++j) {
      const int above = Ranges::first_of_joint(j) - rows.slot,
                entry = Tree::nv * (j - segment.first) + rows.row;
      const Rows first = rows_above(S_i, j), rest = rows_below(below, j);
      Ranges::store_rows(first.dq, above, rest.dq, rows.count, to.dq + entry);
      Ranges::store_rows(first.dv, above, rest.dv, rows.count, to.dv + entry);
    }
    return j;
  }
  void write_above(const PanelSegment& segment, int begin, const PanelRows& rows, const Columns& to) const {
    const auto S_i = motion_.template axis<Row>(axis_S, rows.slot);
    for (int j = begin; j < segment.first + segment.count; ++j) put(rows_above(S_i, j), segment, j, rows, to);
  }

  FEATHERLINE_INLINE Rows rows_below(const RowsBelow& i, int j) const {
    const auto S_j = motion_.template axis<S>(axis_S, j), Pd = motion_.template axis<S>(axis_Pd, j),
               Pdd = motion_.template axis<S>(axis_Pdd, j), rate = motion_.template axis<S>(axis_rate, j);
    return {dot(i.t1, Pdd) + dot(i.t4, Pd.w), dot(i.t1, rate) + dot(i.t4, S_j.w)};
  }
  FEATHERLINE_INLINE Rows rows_above(const Motion<Row>& S_i, int j) const {
    return {dot(forces_.template force<S>(force_t3, j), S_i),
            dot(forces_.template force<S>(force_t2, j), S_i)};
  }
  FEATHERLINE_INLINE void put(const Rows& y, const PanelSegment& segment, int j, const PanelRows& rows,
                              const Columns& to) const {
    const int entry = Tree::nv * (j - segment.first) + rows.row;
    Ranges::store_rows(y.dq, rows.count, to.dq + entry);
    Ranges::store_rows(y.dv, rows.count, to.dv + entry);
  }

  // A floating base: its axes are the unit vectors, its parent is at rest.

  void put_base(const Force<S>& f, S* to) const {
    Ranges::store_vector(f.f, to);
    Ranges::store_vector(f.n, to + 3);
  }
  /// Of four columns, or of the first `count`.
  void put_base(const Force<Four<S>>& f, int count, S* to) const {
    S* columns[] = {to, to + Tree::nv, to + 2 * Tree::nv, to + 3 * Tree::nv};
    Four<S> a = f.f.x, b = f.f.y, c = f.f.z, d = f.n.x;
    transpose(a, b, c, d);
    a.store(columns[0]);
    b.store(columns[1]);
    c.store(columns[2]);
    if (count > 3) d.store(columns[3]);
    Four<S> e = f.f.z, g = f.n.x, h = f.n.y, k = f.n.z;
    transpose(e, g, h, k);
    e.store(columns[0] + 2);
    g.store(columns[1] + 2);
    h.store(columns[2] + 2);
    if (count > 3) k.store(columns[3] + 2);
  }
  void write_rows_of_base(const PanelSegment& segment, S* dq, S* dv) const {
    // Four columns at a time. The last ones may be written twice, but not where entries are added.
    int k = 0;
    if (segment.count >= 4 && !Ranges::shares_coordinates()) {
      for (; k < segment.count; k += 4) {
        const int first = k + 4 <= segment.count ? k : segment.count - 4;
        const int slot = segment.first + first, column = Tree::nv * (segment.row + first);
        put_base(forces_.template force<Four<S>>(force_t3, slot), 4, dq + column);
        put_base(forces_.template force<Four<S>>(force_t2, slot), 4, dv + column);
      }
    }
    for (; k < segment.count; ++k) {
      const int column = Tree::nv * (segment.row + k);
      put_base(forces_.template force<S>(force_t3, segment.first + k), dq + column);
      put_base(forces_.template force<S>(force_t2, segment.first + k), dv + column);
    }
  }

  /// A few rows. Psi-double-dot is -g x e, S-dot is v x e.
  void write_columns_of_base(const PanelRows& rows, S* dtau_dq, S* dtau_dv) const {
    const int n = Tree::nv;
    const auto t1 = forces_.template force<Row>(force_t1, rows.slot);
    const auto t4 = forces_.template vector<Row>(force_t4, rows.slot);
    const Motion<S> v = motion_.velocity(Tree::num_slots);
    const Vector3<S> gravity = motion_.gravity();
    const auto put = [&](const Vector3<Row>& x, S* to) {
      Ranges::store_rows(x.x, rows.count, to + rows.row);
      Ranges::store_rows(x.y, rows.count, to + n + rows.row);
      Ranges::store_rows(x.z, rows.count, to + 2 * n + rows.row);
    };
    put(cross(t1.f, gravity), dtau_dq + 3 * n);
    put(cross(t1.f, v.w), dtau_dv);
    put(cross(t1.n, v.w) + cross(t1.f, v.u) + t4, dtau_dv + 3 * n);
  }

  /// The columns are lanes.
  void write_base(S* dtau_dq, S* dtau_dv) const {
    using F = Four<S>;
    const int n = Tree::nv;
    const Composite<S> base = motion_.composite(Tree::num_slots);
    const Motion<S> speed = motion_.velocity(Tree::num_slots);
    const Symmetric3<S>&J = base.I.J, &K = base.B.K;
    const Inertia<F> I{F(base.I.m), lanes(base.I.h), {J.xx, J.xy, J.xz, J.yy, J.yz, J.zz}};
    const Coriolis<F> B{{K.xx, K.xy, K.xz, K.yy, K.yz, K.zz}, lanes(base.B.n), lanes(base.B.f)};
    const Motion<F> v{lanes(speed.w), lanes(speed.u)};
    for (int k = 0; k < 4; k += 2) {  // columns 2 and 3 twice
      const Motion<F> e{{unit(k - 3), unit(k - 4), unit(k - 5)}, {unit(k), unit(k - 1), unit(k - 2)}};
      put_base(force_of_speed(I, B, e, cross(v, e)), 4, dtau_dv + n * k);
    }
    const Vector3<F> turned = cross(lanes(motion_.gravity()), Vector3<F>{unit(0), unit(-1), unit(-2)});
    put_base(Force<F>{cross(I.h, turned), turned * I.m}, 3, dtau_dq + 3 * n);
  }
  static Vector3<Four<S>> lanes(const Vector3<S>& x) { return {x.x, x.y, x.z}; }
  /// 1 in lane -k, 0 in the others.
  static Four<S> unit(int k) {
    static constexpr TableReal<S> numbers[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const TableReal<S>* x = numbers + 5 + k;
    return {S(x[0]), S(x[1]), S(x[2]), S(x[3])};
  }

  const PanelMotion& motion_;
  SlotTable<S, width, num_force_rows, Ranges::known_places()> forces_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
