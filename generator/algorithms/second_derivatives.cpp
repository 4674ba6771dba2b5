#include "algorithms/second_derivatives.hpp"

#include "algorithms/joint_friction.hpp"
#include "algorithms/second_order_operators.hpp"
#include "model/regroup.hpp"

namespace featherline::algorithms {
namespace {

/// The vectors u1 to u12 of a pair of degrees of freedom (p of i, t of j); u8 = u5, u12 = u2.
struct PairVectors {
  Vector3 u1, u5, u11;
  Force u2, u3, u4, u6, u7, u9, u10;

  PairVectors to_home(const HomePose& X) const {
    return {X.to_home(u1),       X.to_home(u5),       X.to_home(u11),      X.force_to_home(u2),
            X.force_to_home(u3), X.force_to_home(u4), X.force_to_home(u6), X.force_to_home(u7),
            X.force_to_home(u9), X.force_to_home(u10)};
  }
};

class IdsvaSecondOrder {
 public:
  IdsvaSecondOrder(Tracer& tracer, const Coordinates& v, const Coordinates& a, FrameRoots roots)
      : t_(tracer), motion_(tracer, v, a, std::move(roots)), out_{tensor(), tensor(), tensor(), tensor()} {}

  SecondDerivatives run() {
    for (int i = t_.num_bodies(); i-- > 0;) {
      t_.begin_section(i, "second derivatives");
      for (const Axis& p : motion_.body(i).axes) climb_j(i, p);
      motion_.add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  Tensor tensor() const { return Tensor(t_.tree().nv); }

  /// Lines 26 to 73: j from i to the root.
  void climb_j(int i, const Axis& p) {
    Operators A = second_order_operators(motion_.body(i), p);
    for (int j = i; j >= 0; j = t_.body(j).parent) {
      for (const Axis& t : motion_.body(j).axes) climb_k(i, p, j, t, A);
      if (motion_.frames().is_root(j)) A = A.to_home(motion_.frames().crossing(j));
    }
  }

  /// Lines 29 to 36, without u4.
  PairVectors pair_vectors(const Operators& A, const Axis& t) const {
    PairVectors u;
    u.u1 = A.A3.transposed_times(t.S);
    u.u2 = A.A1(t.S);
    u.u3 = A.A3.times(t.Pd) + A.A1(t.Pdd) + A.A5(t.S);
    u.u5 = A.A4_minus_Bst(t.S, t.Pd);
    u.u6 = A.Bs.times(t.Pd) + A.A7(t.S);
    u.u7 = A.A3.times(t.S) + A.A1(t.Pd + t.Sd);
    u.u9 = A.A0(t.S);
    u.u10 = A.Bs.times(t.S);
    u.u11 = A.Bs.transposed_times(t.S);
    return u;
  }

  /// Lines 37 to 70: k from j to the root.
  void climb_k(int i, const Axis& p, int j, const Axis& t, const Operators& A) {
    PairVectors u = pair_vectors(A, t);
    // u4 = A6 s_t, A6 = s_p x* I + A0; it is read for j == i alone, where I is at hand.
    if (j == i) u.u4 = cross_dual(p.S, motion_.body(i).I * t.S) + A.A0(t.S);
    for (int k = j; k >= 0; k = t_.body(k).parent) {
      for (const Axis& r : motion_.body(k).axes) entries({p, t, r, j != i, k != j}, u);
      if (motion_.frames().is_root(k)) u = u.to_home(motion_.frames().crossing(k));
    }
  }

  struct Triple {
    const Axis &p, &t, &r;
    bool j_above_i, k_above_j;
  };

  /// Lines 42 to 67.
  void entries(const Triple& x, const PairVectors& u) {
    const auto& [p, t, r, j_above_i, k_above_j] = x;
    const Motion rate = r.Sd + r.Pd;
    const Scalar p1 = u.u11.dot(r.Pd.w);
    const Scalar p2 = u.u5.dot(r.Pd.w) + dot(u.u9, r.Pdd);
    add(out_.dqdq, p, t, r, p2);
    add(out_.dqdv, p, r, t, -p1);
    if (j_above_i) {
      const Scalar qq = u.u1.dot(r.Pd.w) + dot(u.u2, r.Pdd);
      const Scalar vv = u.u11.dot(r.S.w), m = dot(u.u2, r.S);
      add(out_.dqdq, t, r, p, qq);
      add(out_.dqdq, t, p, r, qq);
      add(out_.dqdv, t, p, r, u.u1.dot(r.S.w) + dot(u.u2, rate));
      add(out_.dqdv, t, r, p, p1);
      add(out_.dvdv, t, r, p, vv);
      add(out_.dvdv, t, p, r, vv);
      add(out_.dM_dq, t, r, p, m);
      if (k_above_j) add(out_.dM_dq, r, t, p, m);
    }
    if (k_above_j) {
      entries_above(x, u, p2, rate);
    } else {
      add(out_.dvdv, p, t, r, -dot(u.u2, r.S));
    }
  }

  void entries_above(const Triple& x, const PairVectors& u, const Scalar& p2, const Motion& rate) {
    const auto& [p, t, r, j_above_i, k_above_j] = x;
    const Scalar qq = dot(u.u3, r.S), vv = -u.u11.dot(r.S.w), m = dot(u.u9, r.S);
    add(out_.dqdq, p, r, t, p2);
    add(out_.dqdq, r, p, t, qq);
    add(out_.dvdv, p, t, r, vv);
    add(out_.dvdv, p, r, t, vv);
    add(out_.dqdv, p, t, r, u.u5.dot(r.S.w) + dot(u.u9, rate));
    add(out_.dqdv, r, t, p, dot(u.u6, r.S));
    add(out_.dM_dq, r, p, t, m);
    add(out_.dM_dq, p, r, t, m);
    if (j_above_i) {
      const Scalar both = dot(u.u10, r.S);
      add(out_.dqdq, r, t, p, qq);
      add(out_.dqdv, r, p, t, dot(u.u7, r.S));
      add(out_.dvdv, r, p, t, both);
      add(out_.dvdv, r, t, p, both);
    } else {
      add(out_.dvdv, r, t, p, dot(u.u4, r.S));
    }
  }

  /// Coupled joints share entries.
  static void add(Tensor& T, const Axis& i, const Axis& j, const Axis& k, const Scalar& x) {
    T(i.idx_v, j.idx_v, k.idx_v) += Scalar(i.multiplier * j.multiplier * k.multiplier) * x;
  }

  Tracer& t_;
  CompositeMotion motion_;
  SecondDerivatives out_;
};

}  // namespace

SecondDerivatives second_derivatives(Tracer& tracer, const Coordinates& v, const Coordinates& a,
                                     FrameRoots roots) {
  SecondDerivatives d = IdsvaSecondOrder(tracer, v, a, std::move(roots)).run();
  const Coordinates friction = joint_friction_second_derivative(tracer, v);
  for (int k = 0; k < tracer.tree().nv; ++k) d.dvdv(k, k, k) += friction[static_cast<std::size_t>(k)];
  return d;
}

void store_all(Tracer& tracer, const SecondDerivatives& d) {
  int output = 0;
  for (const Tensor* T : {&d.dqdq, &d.dvdv, &d.dqdv, &d.dM_dq}) tracer.store_all(output++, T->entries());
}

ir::Function trace_rnea_second_derivatives(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  const int n = tree.nv, n3 = n * n * n;
  Tracer t(grouped, "rnea_second_derivatives", "", {{"q", tree.nq}, {"v", n}, {"a", n}},
           {{"d2tau_dqdq", n3}, {"d2tau_dvdv", n3}, {"d2tau_dqdv", n3}, {"dM_dq", n3}});
  const Coordinates v = input_coordinates(t, 1), a = input_coordinates(t, 2);
  store_all(t, second_derivatives(t, v, a, frames(tree)));
  return t.take();
}

}  // namespace featherline::algorithms
