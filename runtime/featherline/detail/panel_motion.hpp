// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/algebra/second_order.hpp>
#include <featherline/clear.hpp>
#include <featherline/detail/panel_ranges.hpp>
#include <featherline/prepare.hpp>

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
struct PanelInputs : Tree {
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

/// Where each vector begins in the motion of a body. It is kept slot by slot, at the joint's last one, because bodies
/// follow each other from the root: x, y and z of a vector are computed at once. The fourth number is zero.
enum BodyEntry {
  body_x = 0,
  body_y = 4,
  body_z = 8,
  body_p = 12,
  body_v = 16,  ///< angular, then linear
  body_a = 24,
  num_body_entries = 32
};
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

template <class Tree, class S, int width>
class PanelMotion : public PanelRanges<Tree, S, width> {
  using Ranges = PanelRanges<Tree, S, width>;
  using Row = Lanes<S, width>;
  static constexpr int known_rows = whole_rows_and<width>(Ranges::known_places(), 0);

 public:
  /// With places for the axes of a floating base.
  template <int rows>
  using Table = SlotTable<S, width, rows, whole_rows_and<width>(Ranges::known_places(), 2)>;

  explicit PanelMotion(const Tree& tree)
      : Ranges(tree),
        bodies_(whole_rows<width>(Tree::max_places)),
        axes_(whole_rows_and<width>(Tree::max_places, 2)),
        composites_(whole_rows<width>(Tree::max_places)) {}

  void compute(const PanelInputs<Tree, S>& in) {
    compute_bodies(in);
    add_subtrees();
  }
  /// Motion, and what bodies add to composites.
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void compute_bodies(const PanelInputs<Tree, S>& in) {
    code_begins<Tree, S>();
    move_bodies(in);
    for (int slot = 0; slot < num_places(); slot += width) put_axes_and_inertias(slot);
    if (!Tree::single_axes) {
      for (int b = 0; b < Tree::num_bodies; ++b) correct_axes(Tree::bodies[b]);
    }
    code_ends<Tree, S>();
  }
  FEATHERLINE_FLATTEN FEATHERLINE_NOINLINE void add_subtrees() {
    code_begins<Tree, S>();
    Ranges::add_subtrees(composites_.data);
    code_ends<Tree, S>();
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
    const int base = Ranges::base_slot();
    axes_.clear(base, base + 2 * width);
    for (int k = 0; k < 6; ++k) axes_.put(k < 3 ? axis_S + 3 + k : axis_S + k - 3, base + k, S(1.0));
  }
  Motion<S> velocity(int slot) const { return motion(bodies_.data[slot] + body_v); }
  Motion<S> acceleration(int slot) const { return motion(bodies_.data[slot] + body_a); }

  /// A vector of a row of slots.
  Vector3<Row> of_bodies(int slot, int entry) const {
    Vector3<Row> x;
    Row zeros;
    load_slots(bodies_.data + slot, entry, x.x, x.y, x.z, zeros);
    return x;
  }
  Motion<Row> velocities(int slot) const { return {of_bodies(slot, body_v), of_bodies(slot, body_v + 4)}; }
  Motion<Row> accelerations(int slot) const { return {of_bodies(slot, body_a), of_bodies(slot, body_a + 4)}; }

  /// Minus gravity, in the axes of the first root.
  const Vector3<S>& gravity() const { return gravity_; }

  /// Of a row of slots.
  Composite<Row> composites(int slot) const {
    Composite<Row> y;
    load_slots(composites_.data + slot, 0, y.I.m, y.I.h.x, y.I.h.y, y.I.h.z);
    load_slots(composites_.data + slot, 4, y.I.J.xx, y.I.J.xy, y.I.J.xz, y.I.J.yy);
    load_slots(composites_.data + slot, 8, y.I.J.yz, y.I.J.zz, y.B.K.xx, y.B.K.xy);
    load_slots(composites_.data + slot, 12, y.B.K.xz, y.B.K.yy, y.B.K.yz, y.B.K.zz);
    load_slots(composites_.data + slot, 16, y.B.n.x, y.B.n.y, y.B.n.z, y.B.f.x);
    load_slots(composites_.data + slot, 20, y.B.f.y, y.B.f.z, y.F.n.x, y.F.n.y);
    load_slots(composites_.data + slot, 24, y.F.n.z, y.F.f.x, y.F.f.y, y.F.f.z);
    return y;
  }
  Composite<S> composite(int slot) const {
    const S* y = composites_.data[slot];
    return {{y[0], {y[1], y[2], y[3]}, {y[4], y[5], y[6], y[7], y[8], y[9]}},
            {{y[10], y[11], y[12], y[13], y[14], y[15]}, {y[16], y[17], y[18]}, {y[19], y[20], y[21]}},
            {{y[22], y[23], y[24]}, {y[25], y[26], y[27]}}};
  }

 private:
  int num_places() const { return Tree::num_slots + Tree::num_roots; }
  static Motion<S> motion(const S* x) { return {{x[0], x[1], x[2]}, {x[4], x[5], x[6]}}; }

  void move_bodies(const PanelInputs<Tree, S>& in) {
    gravity_ = in.gravity(0);
    for (int slot = num_places(); slot < whole_rows<width>(num_places()); ++slot)
      clear<num_body_entries>(bodies_.data[slot]);
    axes_.clear(whole_rows<width>(num_places()), whole_rows<width>(num_places()) + width);
    for (int r = 0; r < Tree::num_roots; ++r) put_root(in, r);
    for (int b = 0; b < Tree::num_bodies; ++b) put_body(in, b);
  }
  void put_root(const PanelInputs<Tree, S>& in, int r) {
    const S zero(0.0), one(1.0);
    const Vector3<S> g = in.gravity(r);
    XyzMotion<S> v{Four<S>(zero), Four<S>(zero)}, a{Four<S>(zero), {g.x, g.y, g.z, zero}};
    if (Tree::floating) {
      v = {{in.v[3], in.v[4], in.v[5], zero}, {in.v[0], in.v[1], in.v[2], zero}};
      a = a + XyzMotion<S>{{in.a[3], in.a[4], in.a[5], zero}, {in.a[0], in.a[1], in.a[2], zero}};
    }
    S* root = bodies_.data[Tree::num_slots + r];
    put_pose(root, {one, zero, zero, zero}, {zero, one, zero, zero}, {zero, zero, one, zero}, Four<S>(zero));
    put_motion(root, v, a);
  }
  static void put_pose(S* body, const Four<S>& x, const Four<S>& y, const Four<S>& z, const Four<S>& p) {
    x.store(body + body_x);
    y.store(body + body_y);
    z.store(body + body_z);
    p.store(body + body_p);
  }
  static void put_motion(S* body, const XyzMotion<S>& v, const XyzMotion<S>& a) {
    v.store(body + body_v);
    a.store(body + body_a);
  }

  /// The placement of a body in its parent at angle 0, number by number.
  S placement(const PanelInputs<Tree, S>& in, int b, int k) const {
    if (Tree::placements_vary) {
      const int varying = Tree::bodies[b].placement;
      if (varying >= 0) return in.placement(varying)[k];
    }
    return S(Ranges::placement(b)[k]);
  }

  void put_body(const PanelInputs<Tree, S>& in, int b) {
    const PanelBody& body = Tree::bodies[b];
    const S* parent = bodies_.data[body.parent];
    const auto X = Four<S>::load(parent + body_x), Y = Four<S>::load(parent + body_y),
               Z = Four<S>::load(parent + body_z);
    const auto outward = [&](int k) {
      return X * placement(in, b, k) + Y * placement(in, b, k + 1) + Z * placement(in, b, k + 2);
    };
    const Four<S> mx = outward(0), my = outward(3), z = outward(6),
                  p = Four<S>::load(parent + body_p) + outward(9);
    const S c = in.cosine(b), s = in.sine(b);
    const Four<S> x = mx * c + my * s, y = my * c - mx * s;
    put_pose(bodies_.data[body.last], x, y, z, p);
    const auto v_parent = XyzMotion<S>::load(parent + body_v), a_parent = XyzMotion<S>::load(parent + body_a);
    XyzMotion<S> v = v_parent, a = a_parent;
    if (!Tree::single_axes) {
      const Four<S> zero(S(0.0));
      for (int slot = body.first; slot < body.last; ++slot) {
        const int direction = Ranges::direction(slot);
        const Four<S> axis = direction == 0 ? x : direction == 1 ? y : z;
        put_pose(bodies_.data[slot], zero, zero, axis, p);
        put_motion(bodies_.data[slot], v_parent, a_parent);
        add_rate(in, slot, axis, p, v_parent, v, a);
      }
    }
    add_rate(in, body.last, z, p, v_parent, v, a);
    put_motion(bodies_.data[body.last], v, a);
  }

  /// Of a joint about `axis` through p, or along it.
  void add_rate(const PanelInputs<Tree, S>& in, int slot, const Four<S>& axis, const Four<S>& p,
                const XyzMotion<S>& v_parent, XyzMotion<S>& v, XyzMotion<S>& a) const {
    XyzMotion<S> s{axis, cross_xyz<S>(p, axis)};
    if (!Tree::turns_only) {
      const S turn(Ranges::turns()[slot]), slide(Ranges::slides()[slot]);
      s = {axis * turn, s.u * turn + axis * slide};
    }
    const XyzMotion<S> Pd = cross(v_parent, s);
    const int k = Tree::coordinates[slot];
    v = v + s * in.v[k];
    a = a + s * in.a[k] + Pd * in.v[k];
  }

  /// S of a row of slots.
  Motion<Row> subspace(int slot, const Vector3<Row>& z, const Vector3<Row>& p) const {
    if (Tree::turns_only) return {z, cross(p, z)};
    const auto turn = constants<S, width>(Ranges::turns() + slot),
               slide = constants<S, width>(Ranges::slides() + slot);
    return {z * turn, cross(p, z) * turn + z * slide};
  }
  /// Of a row of slots. For the only axis of a joint, v x S is the same with the velocity of body and parent.
  void put_axes_and_inertias(int slot) {
    const Vector3<Row> z = of_bodies(slot, body_z), p = of_bodies(slot, body_p);
    const Motion<Row> s = subspace(slot, z, p), v = velocities(slot), a = accelerations(slot),
                      Pd = cross(v, s);
    axes_.put(axis_S, slot, s);
    axes_.put(axis_Pd, slot, Pd);
    axes_.put(axis_Pdd, slot, cross(a, s) + cross(v, Pd));
    axes_.put(axis_rate, slot, Pd + Pd);
    const Inertia<Row> I = inertia(slot, z, p);
    const Force<Row> momentum = I * v;
    const Coriolis<Row> B = coriolis(I, v, momentum);
    const Force<Row> F = I * a + cross_dual(v, momentum);
    store_slots(I.m, I.h.x, I.h.y, I.h.z, 0, composites_.data + slot);
    store_slots(I.J.xx, I.J.xy, I.J.xz, I.J.yy, 4, composites_.data + slot);
    store_slots(I.J.yz, I.J.zz, B.K.xx, B.K.xy, 8, composites_.data + slot);
    store_slots(B.K.xz, B.K.yy, B.K.yz, B.K.zz, 12, composites_.data + slot);
    store_slots(B.n.x, B.n.y, B.n.z, B.f.x, 16, composites_.data + slot);
    store_slots(B.f.y, B.f.z, F.n.x, F.n.y, 20, composites_.data + slot);
    store_slots(F.n.z, F.f.x, F.f.y, F.f.z, 24, composites_.data + slot);
  }

  /// Own inertias of a row of bodies, in the frame of their root.
  Inertia<Row> inertia(int slot, const Vector3<Row>& Z, const Vector3<Row>& p) const {
    const Vector3<Row> X = of_bodies(slot, body_x), Y = of_bodies(slot, body_y);
    const auto number = [&](int k) { return constants<S, width>(Ranges::inertias(k) + slot); };
    const auto outward = [&](int i, int j, int k) { return X * number(i) + Y * number(j) + Z * number(k); };
    const Row m = number(0);
    const Vector3<Row> h = outward(1, 2, 3), A = outward(4, 5, 6), B = outward(5, 7, 8), C = outward(6, 8, 9);
    const auto entry = [&](Row Vector3<Row>::*r, Row Vector3<Row>::*c) {
      return A.*r * (X.*c) + B.*r * (Y.*c) + C.*r * (Z.*c);
    };
    using V = Vector3<Row>;
    const Symmetric3<Row> J{entry(&V::x, &V::x), entry(&V::x, &V::y), entry(&V::x, &V::z),
                            entry(&V::y, &V::y), entry(&V::y, &V::z), entry(&V::z, &V::z)};
    return {m, h + p * m, J + parallel_axis(h + p * (m * Row(S(0.5))), p)};
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
  alignas(cache_line) Room<S[num_body_entries], known_rows> bodies_;
  Table<num_axis_rows> axes_;
  alignas(cache_line) Room<S[num_composite], known_rows> composites_;
};

}  // namespace FEATHERLINE_REGISTERS
}  // namespace featherline::detail
