// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/second_order.hpp>
#include <featherline/detail/panel_ranges.hpp>

/// Poses, motion and composites of all bodies in the frames of the roots, for featherline/panels.hpp.
namespace featherline::detail {
inline namespace FEATHERLINE_REGISTERS {

using algebra::Coriolis;
using algebra::Force;
using algebra::Inertia;
using algebra::Motion;
using algebra::Symmetric3;
using algebra::Vector3;

/// What emitted code gives to every routine of panels. `joints` holds
///   cosines, sines    by body; 1 and 0 of a body whose placement varies
///   minus gravity     by root, in its axes
///   placements        by varying body, like the table's
template <class Tree, class S>
struct PanelInputs {
  const S *v, *a, *joints;

  S cosine(int body) const { return joints[body]; }
  S sine(int body) const { return joints[Tree::num_bodies + body]; }
  Vector3<S> gravity(int root) const {
    const S* g = joints + 2 * Tree::num_bodies + 3 * root;
    return {g[0], g[1], g[2]};
  }
  const S* placement(int varying) const {
    return joints + 2 * Tree::num_bodies + 3 * Tree::num_roots + 12 * varying;
  }
};

/// Rows of the motion of bodies. They are in the column of the joint's last slot.
enum BodyRow { body_x = 0, body_y = 3, body_z = 6, body_p = 9, body_v = 12, body_a = 18, num_body_rows = 24 };
/// Rows of the motion of axes.
enum AxisRow { axis_S = 0, axis_Pd = 6, axis_Pdd = 12, axis_rate = 18, num_axis_rows = 24 };

/// Where each part begins in a composite: m, h, J, then 2 B as K, n, f, then the force. Composites are kept slot by
/// slot, so that a whole one is added to that of the parent.
enum CompositeEntry { entry_I = 0, entry_B = 10, entry_F = 22, num_composite = 28 };

template <class T>
struct Composite {
  Inertia<T> I;
  Coriolis<T> B;
  Force<T> F;
};

template <class Tree, class S>
class PanelMotion {
 public:
  using Real = TableReal<S>;
  static constexpr int base_slot = PanelRanges<Tree>::base_slot;
  template <int rows>
  using Table = SlotTable<S, rows, base_slot + row_width>;

  void compute(const PanelInputs<Tree, S>& in) {
    compute_bodies(in);
    add_subtrees();
  }
  /// Motion, and what bodies add to composites.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_bodies(const PanelInputs<Tree, S>& in) {
    gravity_ = in.gravity(0);
    const int num_places = Tree::num_slots + Tree::num_roots;
    bodies_.clear(num_places, whole_rows(num_places));
    axes_.clear(whole_rows(num_places), whole_rows(num_places) + row_width);
    for (int r = 0; r < Tree::num_roots; ++r) put_root(in, r);
    for (int b = 0; b < Tree::num_bodies; ++b) put_body(in, b);
    for (int slot = 0; slot < num_places; slot += row_width) put_axes_and_inertias(slot);
    if constexpr (!Tree::single_axes) {
      for (int b = 0; b < Tree::num_bodies; ++b) correct_axes(Tree::bodies[b]);
    }
  }
  void add_subtrees() {
    for (int slot = Tree::num_slots; slot-- > 0;)
      add_row<num_composite>(composites_[slot], composites_[Tree::parents[slot]]);
  }

  template <class T>
  Motion<T> axis(AxisRow row, int slot) const {
    return axes_.template motion<T>(row, slot);
  }
  template <class T>
  Vector3<T> vector(int row, int slot) const {
    return axes_.template vector<T>(row, slot);
  }
  /// The unit vectors as axes of a floating base.
  void put_axes_of_base() {
    axes_.clear(base_slot, base_slot + 2 * row_width);
    for (int k = 0; k < 6; ++k) axes_.put(k < 3 ? axis_S + 3 + k : axis_S + k - 3, base_slot + k, S(1.0));
  }
  Motion<S> velocity(int slot) const { return bodies_.template motion<S>(body_v, slot); }
  Motion<S> acceleration(int slot) const { return bodies_.template motion<S>(body_a, slot); }

  /// Minus gravity, in the axes of the first root.
  const Vector3<S>& gravity() const { return gravity_; }

  /// Of four slots.
  Composite<Row<S>> composites(int slot) const {
    Composite<Row<S>> y;
    load_slots(composites_ + slot, 0, y.I.m, y.I.h.x, y.I.h.y, y.I.h.z);
    load_slots(composites_ + slot, 4, y.I.J.xx, y.I.J.xy, y.I.J.xz, y.I.J.yy);
    load_slots(composites_ + slot, 8, y.I.J.yz, y.I.J.zz, y.B.K.xx, y.B.K.xy);
    load_slots(composites_ + slot, 12, y.B.K.xz, y.B.K.yy, y.B.K.yz, y.B.K.zz);
    load_slots(composites_ + slot, 16, y.B.n.x, y.B.n.y, y.B.n.z, y.B.f.x);
    load_slots(composites_ + slot, 20, y.B.f.y, y.B.f.z, y.F.n.x, y.F.n.y);
    load_slots(composites_ + slot, 24, y.F.n.z, y.F.f.x, y.F.f.y, y.F.f.z);
    return y;
  }
  Composite<S> composite(int slot) const {
    const S* y = composites_[slot];
    return {{y[0], {y[1], y[2], y[3]}, {y[4], y[5], y[6], y[7], y[8], y[9]}},
            {{y[10], y[11], y[12], y[13], y[14], y[15]}, {y[16], y[17], y[18]}, {y[19], y[20], y[21]}},
            {{y[22], y[23], y[24]}, {y[25], y[26], y[27]}}};
  }

 private:
  void put_root(const PanelInputs<Tree, S>& in, int r) {
    const int place = Tree::num_slots + r;
    const S zero(0.0), one(1.0);
    Motion<S> v{}, a{{}, in.gravity(r)};
    if constexpr (Tree::floating) {
      v = {{in.v[3], in.v[4], in.v[5]}, {in.v[0], in.v[1], in.v[2]}};
      a = a + Motion<S>{{in.a[3], in.a[4], in.a[5]}, {in.a[0], in.a[1], in.a[2]}};
    }
    put_pose(place, {one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero});
    put_motion(place, v, a);
  }
  void put_pose(int slot, const Vector3<S>& x, const Vector3<S>& y, const Vector3<S>& z,
                const Vector3<S>& p) {
    bodies_.put(body_x, slot, x);
    bodies_.put(body_y, slot, y);
    bodies_.put(body_z, slot, z);
    bodies_.put(body_p, slot, p);
  }
  void put_motion(int slot, const Motion<S>& v, const Motion<S>& a) {
    bodies_.put(body_v, slot, v);
    bodies_.put(body_a, slot, a);
  }

  /// The placement of a body in its parent at angle 0, number by number.
  static S placement(const PanelInputs<Tree, S>& in, int b, int k) {
    if constexpr (Tree::placements_vary) {
      const int varying = Tree::bodies[b].placement;
      if (varying >= 0) return in.placement(varying)[k];
    }
    return S(Tree::template placements<Real>[b][k]);
  }

  void put_body(const PanelInputs<Tree, S>& in, int b) {
    const PanelBody& body = Tree::bodies[b];
    const auto X = bodies_.template vector<S>(body_x, body.parent),
               Y = bodies_.template vector<S>(body_y, body.parent),
               Z = bodies_.template vector<S>(body_z, body.parent);
    const auto outward = [&](int k) {
      return X * placement(in, b, k) + Y * placement(in, b, k + 1) + Z * placement(in, b, k + 2);
    };
    const Vector3<S> mx = outward(0), my = outward(3), z = outward(6),
                     p = bodies_.template vector<S>(body_p, body.parent) + outward(9);
    const S c = in.cosine(b), s = in.sine(b);
    const Vector3<S> x = mx * c + my * s, y = my * c - mx * s;
    put_pose(body.last, x, y, z, p);
    const Motion<S> v_parent = velocity(body.parent), a_parent = acceleration(body.parent);
    Motion<S> v = v_parent, a = a_parent;
    if constexpr (!Tree::single_axes) {
      for (int slot = body.first; slot < body.last; ++slot) {
        const int direction = Tree::directions[slot];
        put_pose(slot, {}, {}, direction == 0 ? x : direction == 1 ? y : z, p);
        put_motion(slot, v_parent, a_parent);
        add_rate(in, slot, v_parent, v, a);
      }
    }
    add_rate(in, body.last, v_parent, v, a);
    put_motion(body.last, v, a);
  }

  void add_rate(const PanelInputs<Tree, S>& in, int slot, const Motion<S>& v_parent, Motion<S>& v,
                Motion<S>& a) {
    const Motion<S> s = subspace<S>(slot), Pd = cross(v_parent, s);
    const int k = Tree::coordinates[slot];
    v = v + s * in.v[k];
    a = a + s * in.a[k] + Pd * in.v[k];
  }

  template <class T>
  Motion<T> subspace(int slot) const {
    const auto z = bodies_.template vector<T>(body_z, slot), p = bodies_.template vector<T>(body_p, slot);
    if constexpr (Tree::turns_only) {
      return {z, cross(p, z)};
    } else {
      const T turn = constant<T>(Tree::template turns<Real>, slot),
              slide = constant<T>(Tree::template slides<Real>, slot);
      return {z * turn, cross(p, z) * turn + z * slide};
    }
  }
  template <class T, class Table>
  static T constant(const Table& table, int slot) {
    if constexpr (std::is_same_v<T, S>) {
      return S(table[slot]);
    } else {
      return constants<S>(&table[slot]);
    }
  }

  /// Of four slots. For the only axis of a joint, v x S is the same with the velocity of body and parent.
  void put_axes_and_inertias(int slot) {
    const auto s = subspace<Row<S>>(slot), v = bodies_.template motion<Row<S>>(body_v, slot),
               a = bodies_.template motion<Row<S>>(body_a, slot), Pd = cross(v, s);
    axes_.put(axis_S, slot, s);
    axes_.put(axis_Pd, slot, Pd);
    axes_.put(axis_Pdd, slot, cross(a, s) + cross(v, Pd));
    axes_.put(axis_rate, slot, Pd + Pd);
    const Inertia<Row<S>> I = inertia(slot);
    const Force<Row<S>> momentum = I * v;
    const Coriolis<Row<S>> B = coriolis(I, v, momentum);
    const Force<Row<S>> F = I * a + cross_dual(v, momentum);
    store_slots<S>(I.m, I.h.x, I.h.y, I.h.z, 0, composites_ + slot);
    store_slots<S>(I.J.xx, I.J.xy, I.J.xz, I.J.yy, 4, composites_ + slot);
    store_slots<S>(I.J.yz, I.J.zz, B.K.xx, B.K.xy, 8, composites_ + slot);
    store_slots<S>(B.K.xz, B.K.yy, B.K.yz, B.K.zz, 12, composites_ + slot);
    store_slots<S>(B.n.x, B.n.y, B.n.z, B.f.x, 16, composites_ + slot);
    store_slots<S>(B.f.y, B.f.z, F.n.x, F.n.y, 20, composites_ + slot);
    store_slots<S>(F.n.z, F.f.x, F.f.y, F.f.z, 24, composites_ + slot);
  }

  /// Own inertias of four bodies, in the frame of their root.
  Inertia<Row<S>> inertia(int slot) const {
    const auto X = bodies_.template vector<Row<S>>(body_x, slot),
               Y = bodies_.template vector<Row<S>>(body_y, slot),
               Z = bodies_.template vector<Row<S>>(body_z, slot),
               p = bodies_.template vector<Row<S>>(body_p, slot);
    const auto number = [&](int k) { return constants<S>(Tree::template inertias<Real>[k] + slot); };
    const auto outward = [&](int i, int j, int k) { return X * number(i) + Y * number(j) + Z * number(k); };
    const Row<S> m = number(0);
    const Vector3<Row<S>> h = outward(1, 2, 3), A = outward(4, 5, 6), B = outward(5, 7, 8),
                          C = outward(6, 8, 9);
    const auto entry = [&](Row<S> Vector3<Row<S>>::*r, Row<S> Vector3<Row<S>>::*c) {
      return A.*r * (X.*c) + B.*r * (Y.*c) + C.*r * (Z.*c);
    };
    using V = Vector3<Row<S>>;
    const Symmetric3<Row<S>> J{entry(&V::x, &V::x), entry(&V::x, &V::y), entry(&V::x, &V::z),
                               entry(&V::y, &V::y), entry(&V::y, &V::z), entry(&V::z, &V::z)};
    return {m, h + p * m, J + parallel_axis(h + p * (m * Row<S>(S(0.5))), p)};
  }

  /// A joint with several axes: S moves with the body, but Psi-dot is with the velocity of the parent.
  void correct_axes(const PanelBody& body) {
    const Motion<S> v_parent = velocity(body.parent), a_parent = acceleration(body.parent),
                    v = velocity(body.last);
    for (int slot = body.first; body.first < body.last && slot <= body.last; ++slot) {
      const Motion<S> s = axis<S>(axis_S, slot), Pd = cross(v_parent, s);
      axes_.put(axis_Pd, slot, Pd);
      axes_.put(axis_Pdd, slot, cross(a_parent, s) + cross(v_parent, Pd));
      axes_.put(axis_rate, slot, Pd + cross(v, s));
    }
  }

  Vector3<S> gravity_;
  SlotTable<S, num_body_rows, Tree::max_places> bodies_;
  Table<num_axis_rows> axes_;
  alignas(cache_line) S composites_[whole_rows(Tree::max_places)][num_composite];
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
