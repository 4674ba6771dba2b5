#include "algorithms/derivatives/derivatives.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {
namespace {

/// What w adds to the composite of a subtree.
struct Weighted {
  Motion W;    ///< of the body itself
  Coriolis B;  ///< 2 B^C_W; its momentum is G
  Vector3 N;   ///< angular: the linear half is zero

  Force G() const { return {B.n, B.f}; }
};

/// What f^C, G and N of a degree of freedom become per unit of its coordinate (x) and of its velocity (y).
struct Rates {
  Force t1, x_f, x_G;
  Vector3 x_N;
  Force y_f;
  Vector3 y_N;

  template <class Self, class F>
  static void each_part(Self& c, const F& f) {
    f(c.t1, "IS");
    f(c.x_f, "F_q");
    f(c.x_G, "G_q");
    f(c.x_N, "N_q");
    f(c.y_f, "F_v");
    f(c.y_N, "N_v");
  }
};

class Contraction {
 public:
  Contraction(Context& context, const Coordinates& v, const Coordinates& a, const Coordinates& w,
              const OwnFrames& own_frames)
      : c_(context), motion_(context, v, a, own_frames), out_(context.nv()) {
    for (int i = 0; i < c_.num_bodies(); ++i) outward(i, w);
  }

  VectorHessian run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "contracted derivatives");
      motion_.label_composite(i);
      c_.label(weighted(i).B, c_.of_body("BW", i));
      c_.label(weighted(i).N, c_.of_body("N", i));
      for (const Axis& p : motion_.body(i).axes) rows(i, p);
      add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  Weighted& weighted(int i) { return weighted_[index(i)]; }

  /// W of the parent, in the common frame of body i.
  Motion parent_motion(int i) {
    const int parent = c_.parent(i);
    return motion_.frames().from_parents_frame(i, parent < 0 ? Motion{} : weighted(parent).W);
  }

  void outward(int i, const Coordinates& w) {
    c_.begin_section(i, "weighted motion");
    const CompositeBody& body = motion_.body(i);
    Motion W = parent_motion(i);
    for (const Axis& axis : body.axes) W = W + axis.S * (axis.multiplier * w[index(axis.idx_v)]);
    c_.label(W, c_.of_body("W", i));
    const Force momentum = body.I * W;
    weighted_.push_back({W, coriolis(body.I, W, momentum), body.B.transposed_times(W)});
    c_.label(momentum, c_.of_body("G_alone", i));
    c_.label(weighted_.back().B.K, c_.of_body("BW_alone", i));
    c_.label(weighted_.back().N, c_.of_body("N_alone", i));
  }

  void add_to_parent(int i) {
    motion_.add_to_parent(i);
    if (c_.parent(i) < 0) return;
    const Weighted& own = weighted(i);
    Weighted& above = weighted(c_.parent(i));
    motion_.frames().add_to_parents(i, own.B, above.B);
    motion_.frames().add_to_parents(i, own.N, above.N);
  }

  Rates rates(int i, const Axis& p) {
    const CompositeBody& body = motion_.body(i);
    const Weighted& weight = weighted(i);
    const Motion omega = cross(parent_motion(i), p.S);
    Rates c;
    c.t1 = body.I * p.S;
    c.x_f = algebra::force_of_step(body.I, body.B, body.F, p.S, p.Pd, p.Pdd);
    c.x_G = cross_dual(p.S, weight.G()) + body.I * omega;
    c.x_N = cross(p.S.w, weight.N) + body.B.transposed_times(omega) - weight.B.transposed_times(p.Pd);
    c.y_f = algebra::force_of_speed(body.I, body.B, p.S, p.rate);
    c.y_N = -weight.B.transposed_times(p.S);
    return c_.label(c, p.name);
  }

  /// r is an axis of an ancestor.
  void rows(int i, const Axis& p) {
    const Rates own = rates(i, p);
    own_joint(i, p, own);
    motion_.frames().climb(i, own, p.name + "m", [&](int k, const Rates& c) {
      for (const Axis& r : motion_.body(k).axes) {
        const Motion omega = cross(parent_motion(k), r.S);
        add_entries(c_, out_.qq, p, r, second_q(r, omega, c));
        add_entries(c_, out_.vv, p, r, dot(c.y_N, r.S.w));
        add_entry(c_, out_.qv, p, r, dot(c.x_G, r.rate) + dot(c.x_N, r.S.w));
        add_entry(c_, out_.qv, r, p, dot(c.y_f, omega) + dot(c.y_N, r.Pd.w));
        add_entry(c_, out_.dMw_dq, p, r, dot(c.t1, omega));
        add_entry(c_, out_.dMw_dq, r, p, dot(c.x_G, r.S));
      }
    });
  }

  static Scalar second_q(const Axis& r, const Motion& omega, const Rates& c) {
    return dot(c.x_f, omega) + dot(c.x_G, r.Pdd) + dot(c.x_N, r.Pd.w);
  }

  /// Axes r of p's own joint move with it by S_p x S_r, so the gradient along that motion comes on top.
  void own_joint(int i, const Axis& p, const Rates& c) {
    const CompositeBody& body = motion_.body(i);
    for (const Axis& r : body.axes) {
      const Motion omega = cross(parent_motion(i), r.S);
      add_entry(c_, out_.qv, r, p, dot(c.y_f, omega) + dot(c.y_N, r.Pd.w));
      add_entry(c_, out_.dMw_dq, r, p, dot(body.I * r.S, cross(parent_motion(i), p.S)));
      Scalar qq = second_q(r, omega, c), vv = dot(c.y_N, r.S.w);
      if (body.axes.size() > 1) {
        const Motion turned = cross(p.S, r.S);
        qq += gradient_q(i, turned);
        vv += dot(weighted(i).G(), turned);
      }
      add_entry(c_, out_.qq, r, p, qq);
      add_entry(c_, out_.vv, r, p, vv);
    }
  }

  Scalar gradient_q(int i, const Motion& s) {
    const CompositeBody& body = motion_.body(i);
    const auto [v, a] = motion_.parent_motion(i);
    const Motion Pd = cross(v, s), Pdd = cross(a, s) + cross(v, Pd);
    const Weighted& weight = weighted(i);
    return dot(body.F, cross(parent_motion(i), s)) + dot(weight.G(), Pdd) + dot(weight.N, Pd.w);
  }

  Context& c_;
  CompositeMotion motion_;
  std::vector<Weighted> weighted_;
  VectorHessian out_;
};

/// Where loops of bars are eliminated: the rates of weighted first derivatives, step by step.
VectorHessian hessian_by_steps(Context& c, const Coordinates& v, const Coordinates& a, const Coordinates& w,
                               const OwnFrames& own_frames) {
  const FirstDerivatives first = first_derivatives(c, v, a, own_frames);
  const auto weighted = [&](const SquareMatrix& A) {
    Coordinates x;
    for (int k = 0; k < A.size(); ++k) x.push_back(dot(w, A.column(k)));
    return c.keep(std::move(x));
  };
  const Coordinates by_q = weighted(first.dtau_dq), by_v = weighted(first.dtau_dv), Mw = weighted(first.M);
  Coordinates held = a;
  held.insert(held.end(), w.begin(), w.end());
  Coordinates held_at_v = held;
  held_at_v.insert(held_at_v.end(), v.begin(), v.end());
  VectorHessian h(c.nv());
  c.begin_section("second derivatives, step by step");
  for (int k = 0; k < c.nv(); ++k) {
    h.qq.set_column(k, rates_by_step(c, by_q, k, held_at_v));
    h.dMw_dq.set_column(k, rates_by_step(c, Mw, k, held_at_v));
    h.qv.set_column(k, rates_by(c, by_q, v, k, held));
    h.vv.set_column(k, rates_by(c, by_v, v, k, held));
  }
  return h;
}

}  // namespace

VectorHessian vector_hessian(Context& context, const Coordinates& v, const Coordinates& a,
                             const Coordinates& w, const OwnFrames& own_frames) {
  if (context.has_clusters()) {
    AllJoints joints(context);
    if (!joints.followers().empty()) return hessian_by_steps(context, v, a, w, own_frames);
    VectorHessian h = vector_hessian(joints.context(), joints.velocities(v), joints.accelerations(v, a),
                                     joints.velocities(w), own_frames);
    for (SquareMatrix* A : {&h.qq, &h.qv, &h.vv, &h.dMw_dq}) *A = joints.torques(*A);
    return h;
  }
  VectorHessian h = Contraction(context, v, a, w, own_frames).run();
  const Coordinates friction = friction_second_derivative(context, v);
  for (int k = 0; k < context.nv(); ++k) h.vv(k, k) += w[index(k)] * friction[index(k)];
  for_each_product_of_rates(context, v,
                            [&](int i, int j, int k, const Scalar& x) { h.vv(j, k) += w[index(i)] * x; });
  for_each_pose_spring(context, [&](int i, int j, int k, const Scalar& x) { h.qq(j, k) += w[index(i)] * x; });
  if (!context.has_lifted()) return h;
  Context lifted = context.lifted();
  const Coordinates rest = context.zeros();
  subtract(h.qq.data(), Contraction(lifted, rest, rest, w, own_frames).run().qq.column_major());
  return h;
}

Coordinates hessian_entries(const VectorHessian& h) {
  const int n = h.qq.size();
  Coordinates entries;
  for (int c = 0; c < 2 * n; ++c) {
    for (int r = 0; r < n; ++r) entries.push_back(c < n ? h.qq(r, c) : h.qv(r, c - n));
    for (int r = 0; r < n; ++r) entries.push_back(c < n ? h.qv(c, r) : h.vv(r, c - n));
  }
  return entries;
}

void rnea_vector_hessian(Context& c, const OwnFrames& own_frames) {
  c.output("H", hessian_entries(vector_hessian(c, c.input("v"), c.input("a"), c.input("w"), own_frames)),
           hessian);
}

void mass_matrix_vector_derivative(Context& c, const OwnFrames& own_frames) {
  c.output("dMw_dq", vector_hessian(c, c.zeros(), c.zeros(), c.input("w"), own_frames).dMw_dq.column_major(),
           matrix);
}

}  // namespace featherline::algorithms
