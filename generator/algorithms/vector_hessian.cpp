#include "algorithms/vector_hessian.hpp"

#include "algorithms/joint_friction.hpp"
#include "model/regroup.hpp"

namespace featherline::algorithms {
namespace {

/// What w adds to the composite of a subtree.
struct Weighted {
  Motion W;                     ///< of the body itself
  Coriolis B;                   ///< 2 B^C_W; its momentum is G
  Vector3 N = Vector3::Zero();  ///< angular: the linear half is zero

  Force G() const { return {B.n, B.f}; }
};

/// What f^C, G and N of a degree of freedom become per unit of its coordinate (x) and of its velocity (y).
struct Columns {
  Force x_f, x_G, y_f, t1;
  Vector3 x_N, y_N;

  Columns to_home(const HomePose& X) const {
    return {X.force_to_home(x_f), X.force_to_home(x_G), X.force_to_home(y_f),
            X.force_to_home(t1),  X.to_home(x_N),       X.to_home(y_N)};
  }
};

class Contraction {
 public:
  Contraction(Tracer& tracer, const Coordinates& v, const Coordinates& a, const Coordinates& w,
              FrameRoots roots)
      : t_(tracer), motion_(tracer, v, a, std::move(roots)), out_{zero(), zero(), zero(), zero()} {
    for (int i = 0; i < t_.num_bodies(); ++i) outward(i, w);
  }

  VectorHessian run() {
    for (int i = t_.num_bodies(); i-- > 0;) {
      t_.begin_section(i, "contracted derivatives");
      for (const Axis& p : motion_.body(i).axes) climb(i, p);
      add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  SquareMatrix zero() const { return SquareMatrix(t_.tree().nv); }
  Weighted& weighted(int i) { return weighted_[static_cast<std::size_t>(i)]; }

  /// W of the parent, in the home of body i.
  Motion parent_motion(int i) {
    const int parent = t_.body(i).parent;
    const Motion W = parent < 0 ? Motion{} : weighted(parent).W;
    return motion_.frames().is_root(i) ? motion_.frames().crossing(i).motion_from_home(W) : W;
  }

  void outward(int i, const Coordinates& w) {
    t_.begin_section(i, "weighted motion");
    const CompositeBody& body = motion_.body(i);
    Motion W = parent_motion(i);
    for (const Axis& axis : body.axes) {
      W = W + axis.S * (Scalar(axis.multiplier) * w[static_cast<std::size_t>(axis.idx_v)]);
    }
    weighted_.push_back({W, coriolis(body.I, W, body.I * W), body.B.transposed_times(W)});
  }

  void add_to_parent(int i) {
    motion_.add_to_parent(i);
    const int parent = t_.body(i).parent;
    if (parent < 0) return;
    const bool crosses = motion_.frames().is_root(i);
    const HomePose& X = motion_.frames().crossing(i);
    const Weighted& own = weighted(i);
    Weighted& above = weighted(parent);
    above.B = above.B + (crosses ? X.coriolis_to_home(own.B) : own.B);
    above.N = above.N + (crosses ? X.to_home(own.N) : own.N);
  }

  Columns columns(int i, const Axis& p) {
    const CompositeBody& body = motion_.body(i);
    const Weighted& weight = weighted(i);
    const Motion omega = cross(parent_motion(i), p.S);
    Columns c;
    c.t1 = body.I * p.S;
    c.x_f = body.B.times(p.Pd) + body.I * p.Pdd + cross_dual(p.S, body.F);
    c.x_G = cross_dual(p.S, weight.G()) + body.I * omega;
    c.x_N = p.S.w.cross(weight.N) + body.B.transposed_times(omega) - weight.B.transposed_times(p.Pd);
    c.y_f = body.B.times(p.S) + body.I * (p.Pd + p.Sd);
    c.y_N = -weight.B.transposed_times(p.S);
    return c;
  }

  void climb(int i, const Axis& p) {
    Columns c = columns(i, p);
    own_joint(i, p, c);
    for (int below = i, k = t_.body(i).parent; k >= 0; below = k, k = t_.body(k).parent) {
      if (motion_.frames().is_root(below)) c = c.to_home(motion_.frames().crossing(below));
      for (const Axis& r : motion_.body(k).axes) off_diagonal(p, r, cross(parent_motion(k), r.S), c);
    }
  }

  /// r is an axis of an ancestor.
  void off_diagonal(const Axis& p, const Axis& r, const Motion& omega, const Columns& c) {
    add_both(out_.qq, p, r, second_q(r, omega, c));
    add_both(out_.vv, p, r, c.y_N.dot(r.S.w));
    add(out_.qv, p, r, dot(c.x_G, r.Pd + r.Sd) + c.x_N.dot(r.S.w));
    add(out_.qv, r, p, dot(c.y_f, omega) + c.y_N.dot(r.Pd.w));
    add(out_.dMw_dq, p, r, dot(c.t1, omega));
    add(out_.dMw_dq, r, p, dot(c.x_G, r.S));
  }

  static Scalar second_q(const Axis& r, const Motion& omega, const Columns& c) {
    return dot(c.x_f, omega) + dot(c.x_G, r.Pdd) + c.x_N.dot(r.Pd.w);
  }

  /// Axes r of p's own joint move with it by S_p x S_r, so the gradient along that motion comes on top.
  void own_joint(int i, const Axis& p, const Columns& c) {
    const CompositeBody& body = motion_.body(i);
    for (const Axis& r : body.axes) {
      const Motion omega = cross(parent_motion(i), r.S);
      add(out_.qv, r, p, dot(c.y_f, omega) + c.y_N.dot(r.Pd.w));
      add(out_.dMw_dq, r, p, dot(body.I * r.S, cross(parent_motion(i), p.S)));
      Scalar qq = second_q(r, omega, c), vv = c.y_N.dot(r.S.w);
      if (body.axes.size() > 1) {
        const Motion turned = cross(p.S, r.S);
        qq += gradient_q(i, turned);
        vv += dot(weighted(i).G(), turned);
      }
      add(out_.qq, r, p, qq);
      add(out_.vv, r, p, vv);
    }
  }

  Scalar gradient_q(int i, const Motion& s) {
    const CompositeBody& body = motion_.body(i);
    const auto [v, a] = motion_.parent_motion(i);
    const Motion Pd = cross(v, s), Pdd = cross(a, s) + cross(v, Pd);
    const Weighted& weight = weighted(i);
    return dot(body.F, cross(parent_motion(i), s)) + dot(weight.G(), Pdd) + weight.N.dot(Pd.w);
  }

  /// Coupled joints share rows and columns.
  static void add(SquareMatrix& A, const Axis& row, const Axis& column, const Scalar& x) {
    A(row.idx_v, column.idx_v) += Scalar(row.multiplier * column.multiplier) * x;
  }
  static void add_both(SquareMatrix& A, const Axis& p, const Axis& r, const Scalar& x) {
    add(A, p, r, x);
    add(A, r, p, x);
  }

  Tracer& t_;
  CompositeMotion motion_;
  std::vector<Weighted> weighted_;
  VectorHessian out_;
};

}  // namespace

VectorHessian vector_hessian(Tracer& tracer, const Coordinates& v, const Coordinates& a, const Coordinates& w,
                             FrameRoots roots) {
  VectorHessian h = Contraction(tracer, v, a, w, std::move(roots)).run();
  const Coordinates friction = joint_friction_second_derivative(tracer, v);
  for (int k = 0; k < tracer.tree().nv; ++k) {
    h.vv(k, k) += w[static_cast<std::size_t>(k)] * friction[static_cast<std::size_t>(k)];
  }
  return h;
}

std::vector<Scalar> hessian_entries(const SquareMatrix& qq, const SquareMatrix& qv, const SquareMatrix& vv) {
  const int n = qq.size();
  std::vector<Scalar> entries;
  for (int c = 0; c < 2 * n; ++c) {
    for (int r = 0; r < n; ++r) entries.push_back(c < n ? qq(r, c) : qv(r, c - n));
    for (int r = 0; r < n; ++r) entries.push_back(c < n ? qv(c, r) : vv(r, c - n));
  }
  return entries;
}

ir::Function trace_rnea_vector_hessian(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  const int n = tree.nv;
  Tracer t(grouped, "rnea_vector_hessian", "", {{"q", tree.nq}, {"v", n}, {"a", n}, {"w", n}},
           {{"H", 4 * n * n}});
  const Coordinates v = input_coordinates(t, 1), a = input_coordinates(t, 2), w = input_coordinates(t, 3);
  const VectorHessian h = vector_hessian(t, v, a, w, frames(tree));
  t.store_all(0, hessian_entries(h.qq, h.qv, h.vv));
  return t.take();
}

ir::Function trace_mass_matrix_vector_derivative(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  const int n = tree.nv;
  Tracer t(grouped, "mass_matrix_vector_derivative", "", {{"q", tree.nq}, {"w", n}}, {{"dMw_dq", n * n}});
  const Coordinates zero = zero_coordinates(t), w = input_coordinates(t, 1);
  t.store_all(0, vector_hessian(t, zero, zero, w, frames(tree)).dMw_dq.column_major());
  return t.take();
}

}  // namespace featherline::algorithms
