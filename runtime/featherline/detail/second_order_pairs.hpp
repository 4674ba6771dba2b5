#pragma once

#include <featherline/detail/pack.hpp>

#include <initializer_list>
#include <type_traits>

/// The pairs and triples of degrees of freedom of paper 002, Algorithm 1, for vector_loops.hpp.
namespace featherline {

/// Where a degree of freedom stands in the tree. Axes of one joint follow each other, parents come before children.
struct AxisInfo {
  int idx_v;         ///< its coordinate
  int parent;        ///< any axis of the next joint towards the root, -1 at the root
  int first, count;  ///< the axes of its joint
};

/// Rows of `motion`: angular and linear halves, x y z.
enum MotionRow { row_S = 0, row_Pd = 6, row_Pdd = 12, row_rate = 18, num_motion = 24 };
/// Entries of `operators`: B(s) and A3 as K (xx, xy, xz, yy, yz, zz), n, f; then t2, t3 (moment, force) and t4.
enum OperatorEntry {
  entry_Bs = 0,
  entry_A3 = 12,
  entry_t2 = 24,
  entry_t3 = 30,
  entry_t4 = 36,
  num_operators = 39
};

}  // namespace featherline

namespace featherline::detail {

template <class T>
struct Screw {
  Triple<T> a, b;  ///< angular and linear half of a motion, moment and force of a force
};
template <class A, class B>
inline auto operator+(const Screw<A>& x, const Screw<B>& y) {
  return Screw<Wider<A, B>>{x.a + y.a, x.b + y.b};
}
/// m x* f.
template <class A, class B>
inline auto cross_dual(const Screw<A>& m, const Screw<B>& f) {
  return Screw<Wider<A, B>>{cross(m.a, f.a) + cross(m.b, f.b), cross(m.a, f.b)};
}
template <class A, class B>
inline Wider<A, B> dot(const Screw<A>& f, const Screw<B>& m) {
  return dot(f.a, m.a) + dot(f.b, m.b);
}

/// 2 B of paper 000 in 12 numbers.
template <class S>
struct CoriolisBlock {
  Symmetric<S> K;
  Triple<S> n, f;

  template <class T>
  Screw<T> times(const Screw<T>& m) const {
    const Triple<T> force = cross(f, m.a);
    return {K * m.a - cross(n, m.a),
            Triple<T>{-(force.x + force.x), -(force.y + force.y), -(force.z + force.z)}};
  }
  template <class T>
  Triple<T> transposed_times(const Screw<T>& m) const {
    const Triple<T> moment = cross(f, m.b);
    return K * m.a + cross(n, m.a) + (moment + moment);
  }
  /// A1 = B(s) - A0.
  template <class T>
  Screw<T> without_momentum(const Screw<T>& m) const {
    return {K * m.a + cross(f, m.b), cross(m.a, f)};
  }
};

template <class S>
inline Triple<S> triple_at(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
inline Screw<S> screw_at(const S* x) {
  return {triple_at(x), triple_at(x + 3)};
}
template <class S>
inline CoriolisBlock<S> coriolis_at(const S* x) {
  return {{x[0], x[1], x[2], x[3], x[4], x[5]}, triple_at(x + 6), triple_at(x + 9)};
}

/// The operators A0 to A7 of one axis.
template <class S>
struct AxisOperators {
  CoriolisBlock<S> Bs, A3;
  Screw<S> t1, t2, t3;
  Triple<S> t4;

  explicit AxisOperators(const S* x)
      : Bs(coriolis_at(x + entry_Bs)),
        A3(coriolis_at(x + entry_A3)),
        t1{Bs.n, Bs.f},
        t2(screw_at(x + entry_t2)),
        t3(screw_at(x + entry_t3)),
        t4(triple_at(x + entry_t4)) {}
};

/// Motion of all axes from the root to one joint, side by side.
template <class Tree, class S>
class AncestorPanel {
 public:
  static constexpr int width = PackOf<S>::width;
  static constexpr int stride = padded<S>(Tree::max_path);

  AncestorPanel(const Tree& tree, const S* motion) : tree_(tree), motion_(motion) {
    for (int k = 0; k < num_motion * stride; ++k) data_[k] = S(0);
  }

  /// Of the joint `axis` belongs to, and all above. What the joint before had in common stays where it is.
  void gather(int axis) {
    const int old_size = size_;
    size_ = 0;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) size_ += tree_.axes[k].count;
    int end = size_;
    for (int k = axis; k >= 0; k = tree_.axes[k].parent) {
      const AxisInfo& joint = tree_.axes[k];
      if (end <= old_size && axes_[end - 1] == joint.first + joint.count - 1) return;
      end -= joint.count;
      for (int c = 0; c < joint.count; ++c) copy(joint.first + c, end + c);
    }
  }

  int size() const { return size_; }
  int axis(int position) const { return axes_[position]; }
  int coordinate(int position) const { return coordinates_[position]; }

  Triple<Pack<S>> triple(int row, int position) const {
    const S* x = data_ + row * stride + position;
    return {load_pack(x), load_pack(x + stride), load_pack(x + 2 * stride)};
  }
  Screw<Pack<S>> screw(int row, int position) const {
    return {triple(row, position), triple(row + 3, position)};
  }
  Screw<S> screw_of(int row, int position) const {
    const S* x = data_ + row * stride + position;
    return {{x[0], x[stride], x[2 * stride]}, {x[3 * stride], x[4 * stride], x[5 * stride]}};
  }

 private:
  void copy(int axis, int position) {
    axes_[position] = axis;
    coordinates_[position] = tree_.axes[axis].idx_v;
    for (int row = 0; row < num_motion; ++row)
      data_[row * stride + position] = motion_[row * tree_.num_axes + axis];
  }

  const Tree& tree_;
  const S* motion_;
  int size_ = 0;
  int axes_[Tree::max_path], coordinates_[Tree::max_path];
  S data_[num_motion * stride];
};

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

}  // namespace featherline::detail
