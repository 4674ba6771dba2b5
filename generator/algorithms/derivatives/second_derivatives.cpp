#include "algorithms/derivatives/derivatives.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"

#include <featherline/algebra/second_order.hpp>

namespace featherline::algorithms {
namespace {

using algebra::Product;

struct Operators : algebra::AxisOperators<Scalar> {
  template <class Self, class F>
  static void each_part(Self& A, const F& f) {
    f(A.Bs, "BS");
    f(A.A3, "A3_");
    f(A.t2, "F_v");
    f(A.t3, "F_q");
    f(A.t4, "BtS");
  }
};

struct PairVectors : algebra::PairVectors<Scalar> {
  template <class Self, class F>
  static void each_part(Self& u, const F& f) {
    f(u.u1, "u1_");
    f(u.u2, "u2_");
    f(u.u3, "u3_");
    f(u.u5, "u5_");
    f(u.u6, "u6_");
    f(u.u7, "u7_");
    f(u.u9, "u9_");
    f(u.u10, "u10_");
    f(u.u11, "u11_");
  }
};

Scalar product_of(Product which, const PairVectors& u, const Axis& r) {
  Scalar result{};
  algebra::for_each_index<algebra::num_products>([&](auto k) {
    constexpr auto product = static_cast<Product>(decltype(k)::value);
    if (product == which) result = algebra::product<product>(u, r);
  });
  return result;
}

/// Two axes, t at or above p.
struct Pair {
  const Axis &p, &t;
  bool t_above_p;
  bool u6_is_sum;  ///< u6 = u7 + u5 - u1, where u1 and u5 are moments
};

int num_zeros(const Vector3& x) { return int{is_zero(x.x)} + int{is_zero(x.y)} + int{is_zero(x.z)}; }

/// Motion in one plane: r turns about a coordinate axis and is not moved along it, and u11 points along one, too.
bool in_plane(const PairVectors& u, const Axis& r) {
  return num_zeros(u.u11) >= 2 && num_zeros(r.S.w) == 2 && num_zeros(r.S.u) >= 1;
}

/// product_of() without u6 and u10. Then these two are not moved from body to body, which saves 2 to 15 % of all
/// operations on 12 robots. u10 is
///
///   u2 + u9     where t is above p
///   2 u9        where t is p
///
/// In a plane the definitions are as short. A product that is zero by definition stays zero, because a sum would hide
/// that.
Scalar short_product(Product which, const Pair& pair, const PairVectors& u, const Axis& r) {
  const Scalar by_definition = product_of(which, u, r);
  if (is_zero(by_definition)) return by_definition;
  if (which == Product::s_u10 && &pair.t == &pair.p) return Scalar(2.0) * product_of(Product::m_above, u, r);
  if (!pair.t_above_p || in_plane(u, r)) return by_definition;
  if (which == Product::s_u10) return product_of(Product::m_below, u, r) + product_of(Product::m_above, u, r);
  if (which == Product::s_u6 && pair.u6_is_sum)
    return product_of(Product::s_u7, u, r) + (dot(u.u5, r.S.w) - dot(u.u1, r.S.w));
  return by_definition;
}

class IdsvaSecondOrder {
 public:
  IdsvaSecondOrder(Context& context, const Coordinates& v, const Coordinates& a, const OwnFrames& own_frames,
                   FirstOrder first_order)
      : c_(context),
        first_order_(first_order),
        motion_(context, v, a, own_frames),
        num_axes_(index(context.nv())),
        out_(context.nv()) {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      for (const Axis& s : motion_.body(i).axes) ++num_axes_[index(s.idx_v)];
    }
  }

  SecondDerivatives run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, sweep);
      motion_.label_composite(i);
      for (const Axis& p : motion_.body(i).axes) pairs(i, p);
      c_.begin_section(i, sweep);
      motion_.add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  static constexpr const char* sweep = "second derivatives";

  /// Lines 26 to 73: j from i to the root.
  void pairs(int i, const Axis& p) {
    const CompositeBody& body = motion_.body(i);
    c_.begin_section(i, sweep);
    Operators A{algebra::axis_operators(body.I, body.B, body.F, p)};
    if (first_order_ == FirstOrder::present) A.t2 = algebra::force_of_speed(body.I, body.B, p.S, p.rate);
    c_.label(A, p.name);
    const auto with_axes_of = [&](int j, const Operators& here) {
      for (const Axis& t : motion_.body(j).axes) triples(i, p, j, t, here);
      c_.begin_section(i, sweep);
    };
    with_axes_of(i, A);
    motion_.frames().climb(i, A, p.name + "m", with_axes_of);
  }

  bool is_only_axis(int i) { return motion_.body(i).axes.size() == 1; }
  /// Joints that share a coordinate cancel each other in some entries. Sums would hide that.
  bool shares_coordinate(const Axis& p) const { return num_axes_[index(p.idx_v)] > 1; }

  /// Lines 37 to 70: k from j to the root.
  void triples(int i, const Axis& p, int j, const Axis& t, const Operators& A) {
    c_.begin_pair_section(i, j, sweep);
    PairVectors u{algebra::pair_vectors(A, t)};
    if (j == i) {
      const Inertia& I = motion_.body(i).I;
      u.u10 = algebra::vector_of_one_joint(p.S, A.t1(), t.S, I * t.S);
    }
    c_.label(u, p.name + "_" + t.name);
    const Pair pair{p, t, j != i, is_only_axis(i) && is_only_axis(j) && !shares_coordinate(p)};
    for (const Axis& r : motion_.body(j).axes) entries(pair, r, false, u);
    motion_.frames().climb(j, u, {}, [&](int k, const PairVectors& here) {
      for (const Axis& r : motion_.body(k).axes) entries(pair, r, true, here);
    });
  }

  /// Lines 42 to 67.
  void entries(const Pair& pair, const Axis& r, bool r_above_t, const PairVectors& u) {
    const Scalar multiplier = pair.p.multiplier * pair.t.multiplier * r.multiplier;
    for (const algebra::Entry& entry : algebra::entries) {
      if (!entry.applies(pair.t_above_p, r_above_t)) continue;
      const Scalar x = short_product(entry.product, pair, u, r);
      c_.add(target(entry, pair.p.idx_v, pair.t.idx_v, r.idx_v), multiplier, entry.minus ? -x : x);
    }
  }

  Scalar& target(const algebra::Entry& entry, int p, int t, int r) {
    static constexpr int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const auto& [first, second, third] = orders[static_cast<int>(entry.order)];
    const int ptr[] = {p, t, r};
    Tensor* tensors[] = {&out_.dqdq, &out_.dvdv, &out_.dqdv, &out_.dM_dq};
    return (*tensors[static_cast<int>(entry.tensor)])(ptr[first], ptr[second], ptr[third]);
  }

  Context& c_;
  FirstOrder first_order_;
  CompositeMotion motion_;
  std::vector<int> num_axes_;  ///< by coordinate
  SecondDerivatives out_;
};

/// Where loops of bars are eliminated: the rates of the first derivatives, step by step.
SecondDerivatives second_by_steps(Context& c, const Coordinates& v, const Coordinates& a,
                                  const OwnFrames& own_frames) {
  const FirstDerivatives first = first_derivatives(c, v, a, own_frames);
  Coordinates held = v;
  held.insert(held.end(), a.begin(), a.end());
  SecondDerivatives d(c.nv());
  c.begin_section("second derivatives, step by step");
  for (int k = 0; k < c.nv(); ++k) {
    d.dqdq.set_matrix(k, rates_by_step(c, first.dtau_dq.column_major(), k, held));
    d.dM_dq.set_matrix(k, rates_by_step(c, first.M.column_major(), k, held));
    d.dqdv.set_matrix(k, rates_by(c, first.dtau_dq.column_major(), v, k, a));
    d.dvdv.set_matrix(k, rates_by(c, first.dtau_dv.column_major(), v, k, a));
  }
  return d;
}

}  // namespace

SecondDerivatives second_derivatives(Context& context, const Coordinates& v, const Coordinates& a,
                                     const OwnFrames& own_frames, FirstOrder first_order) {
  if (context.has_clusters()) {
    AllJoints joints(context);
    if (!joints.followers().empty()) return second_by_steps(context, v, a, own_frames);
    SecondDerivatives d = second_derivatives(joints.context(), joints.velocities(v),
                                             joints.accelerations(v, a), own_frames, first_order);
    for (Tensor* T : {&d.dqdq, &d.dvdv, &d.dqdv, &d.dM_dq}) *T = joints.project(*T);
    return d;
  }
  SecondDerivatives d = IdsvaSecondOrder(context, v, a, own_frames, first_order).run();
  const Coordinates friction = friction_second_derivative(context, v);
  for (int k = 0; k < context.nv(); ++k) d.dvdv(k, k, k) += friction[index(k)];
  for_each_product_of_rates(context, v, [&](int i, int j, int k, const Scalar& x) { d.dvdv(i, j, k) += x; });
  for_each_pose_spring(context, [&](int i, int j, int k, const Scalar& x) { d.dqdq(i, j, k) += x; });
  if (!context.has_lifted()) return d;
  Context lifted = context.lifted();
  const Coordinates rest = context.zeros();
  subtract(d.dqdq.data(),
           IdsvaSecondOrder(lifted, rest, rest, own_frames, FirstOrder::absent).run().dqdq.entries());
  return d;
}

void rnea_second_derivatives(Context& c, const OwnFrames& own_frames) {
  const SecondDerivatives d =
      second_derivatives(c, c.input("v"), c.input("a"), own_frames, FirstOrder::absent);
  c.output("d2tau_dqdq", d.dqdq.entries(), tensor);
  c.output("d2tau_dvdv", d.dvdv.entries(), tensor);
  c.output("d2tau_dqdv", d.dqdv.entries(), tensor);
  c.output("dM_dq", d.dM_dq.entries(), tensor);
}

}  // namespace featherline::algorithms
