#include "algorithms/second_derivatives.hpp"

#include "algorithms/composite_motion.hpp"
#include "algorithms/joint_dynamics.hpp"

#include <featherline/algebra/second_order.hpp>

namespace featherline::algorithms {
namespace {

using algebra::AxisOperators;
using algebra::PairVectors;
using algebra::Product;

template <class T>
AxisOperators<T> outward(const Pose<T>& X, const AxisOperators<T>& A) {
  return {X.outward(A.Bs), X.outward(A.A3), X.outward(A.t2), X.outward(A.t3), X.outward(A.t4)};
}

template <class T>
PairVectors<T> outward(const Pose<T>& X, const PairVectors<T>& u) {
  return {X.outward(u.u1), X.outward(u.u5), X.outward(u.u11), X.outward(u.u2), X.outward(u.u3),
          X.outward(u.u6), X.outward(u.u7), X.outward(u.u9),  X.outward(u.u10)};
}

template <class T>
T product_of(Product which, const PairVectors<T>& u, const Axis<T>& r) {
  T result{};
  algebra::for_each_index<algebra::num_products>([&](auto k) {
    constexpr auto product = static_cast<Product>(decltype(k)::value);
    if (product == which) result = algebra::product<product>(u, r);
  });
  return result;
}

template <class T>
class IdsvaSecondOrder {
 public:
  IdsvaSecondOrder(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
                   const OwnFrames& own_frames)
      : c_(context), motion_(context, v, a, own_frames), out_(context.nv()) {}

  SecondDerivatives<T> run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, sweep);
      motion_.label_composite(i);
      for (const Axis<T>& p : motion_.body(i).axes) pairs(i, p);
      c_.begin_section(i, sweep);
      motion_.add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  static constexpr const char* sweep = "second derivatives";

  /// Lines 26 to 73: j from i to the root.
  void pairs(int i, const Axis<T>& p) {
    const CompositeBody<T>& body = motion_.body(i);
    c_.begin_section(i, sweep);
    const AxisOperators<T> A = algebra::axis_operators(body.I, body.B, body.F, p);
    label(A, p.name);
    for (const Axis<T>& t : body.axes) triples(i, p, i, t, A);
    climb(
        c_, motion_.frames(), i, A,
        [&](const Pose<T>& X, const AxisOperators<T>& below) {
          c_.begin_section(i, sweep);
          const AxisOperators<T> moved = outward(X, below);
          label(moved, p.name + "m");
          return moved;
        },
        [&](int j, const AxisOperators<T>& here) {
          for (const Axis<T>& t : motion_.body(j).axes) triples(i, p, j, t, here);
        });
  }

  void label(const AxisOperators<T>& A, const std::string& name) {
    c_.label(A.Bs, "BS" + name);
    c_.label(A.A3, "A3_" + name);
    c_.label(A.t2, "F_v" + name);
    c_.label(A.t3, "F_q" + name);
    c_.label(A.t4, "BtS" + name);
  }

  /// Lines 37 to 70: k from j to the root.
  void triples(int i, const Axis<T>& p, int j, const Axis<T>& t, const AxisOperators<T>& A) {
    c_.begin_pair_section(i, j, sweep);
    PairVectors<T> u = algebra::pair_vectors(A, t);
    if (j == i) {
      const Inertia<T>& I = motion_.body(i).I;
      u.u10 = algebra::vector_of_one_joint(p.S, A.t1(), t.S, I * t.S);
    }
    label(u, p.name + "_" + t.name);
    for (const Axis<T>& r : motion_.body(j).axes) entries(p, t, r, j != i, false, u);
    climb(
        c_, motion_.frames(), j, u,
        [](const Pose<T>& X, const PairVectors<T>& below) { return outward(X, below); },
        [&](int k, const PairVectors<T>& here) {
          for (const Axis<T>& r : motion_.body(k).axes) entries(p, t, r, j != i, true, here);
        });
  }

  void label(const PairVectors<T>& u, const std::string& pair) {
    c_.label(u.u1, "u1_" + pair);
    c_.label(u.u2, "u2_" + pair);
    c_.label(u.u3, "u3_" + pair);
    c_.label(u.u5, "u5_" + pair);
    c_.label(u.u6, "u6_" + pair);
    c_.label(u.u7, "u7_" + pair);
    c_.label(u.u9, "u9_" + pair);
    c_.label(u.u10, "u10_" + pair);
    c_.label(u.u11, "u11_" + pair);
  }

  /// Lines 42 to 67.
  void entries(const Axis<T>& p, const Axis<T>& t, const Axis<T>& r, bool t_above_p, bool r_above_t,
               const PairVectors<T>& u) {
    const T multiplier = p.multiplier * t.multiplier * r.multiplier;
    for (const algebra::Entry& entry : algebra::entries) {
      if (!entry.applies(t_above_p, r_above_t)) continue;
      const T x = product_of(entry.product, u, r);
      add(c_, target(entry, p.idx_v, t.idx_v, r.idx_v), multiplier, entry.minus ? -x : x);
    }
  }

  T& target(const algebra::Entry& entry, int p, int t, int r) {
    using algebra::Order;
    Tensor<T>* tensors[] = {&out_.dqdq, &out_.dvdv, &out_.dqdv, &out_.dM_dq};
    Tensor<T>& A = *tensors[static_cast<int>(entry.tensor)];
    switch (entry.order) {
      case Order::ptr:
        return A(p, t, r);
      case Order::prt:
        return A(p, r, t);
      case Order::tpr:
        return A(t, p, r);
      case Order::trp:
        return A(t, r, p);
      case Order::rpt:
        return A(r, p, t);
      default:
        return A(r, t, p);
    }
  }

  Context<T>& c_;
  CompositeMotion<T> motion_;
  SecondDerivatives<T> out_;
};

}  // namespace

template <class T>
SecondDerivatives<T> second_derivatives(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
                                        const OwnFrames& own_frames) {
  SecondDerivatives<T> d = IdsvaSecondOrder<T>(context, v, a, own_frames).run();
  const Coordinates<T> friction = friction_second_derivative(context, v);
  for (int k = 0; k < context.nv(); ++k) d.dvdv(k, k, k) += friction[static_cast<std::size_t>(k)];
  return d;
}

template <class T>
void rnea_second_derivatives(Context<T>& c, const OwnFrames& own_frames) {
  const SecondDerivatives<T> d = second_derivatives(c, c.input("v"), c.input("a"), own_frames);
  c.output("d2tau_dqdq", d.dqdq.entries(), tensor);
  c.output("d2tau_dvdv", d.dvdv.entries(), tensor);
  c.output("d2tau_dqdv", d.dqdv.entries(), tensor);
  c.output("dM_dq", d.dM_dq.entries(), tensor);
}

template SecondDerivatives<Scalar> second_derivatives(Context<Scalar>&, const Coordinates<Scalar>&,
                                                      const Coordinates<Scalar>&, const OwnFrames&);
template SecondDerivatives<double> second_derivatives(Context<double>&, const Coordinates<double>&,
                                                      const Coordinates<double>&, const OwnFrames&);
template void rnea_second_derivatives(Context<Scalar>&, const OwnFrames&);
template void rnea_second_derivatives(Context<double>&, const OwnFrames&);

}  // namespace featherline::algorithms
