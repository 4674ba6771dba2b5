#include "algorithms/dynamics/dynamics.hpp"

#include "algorithms/dynamics/body_motion.hpp"

namespace featherline::algorithms {
namespace {

class NewtonEuler {
 public:
  NewtonEuler(Context& context, const Coordinates& v, const Coordinates& a, const Vector3& gravity)
      : c_(context), motions_(context, v, a, gravity), tau_(context.zeros()) {}

  const Coordinates& tau() const { return tau_; }
  const std::vector<Force>& wrenches() const { return wrench_; }

  NewtonEuler& run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "motion");
      motions_.outward(i);
    }
    wrench_.resize(index(c_.num_bodies()));
    for (int i = c_.num_bodies(); i-- > 0;) inward(i);
    return *this;
  }

 private:
  /// f = m a + U h;  n = h x a + the antisymmetric part of U Sigma, Sigma = tr(J)/2 1 - J (second moments).
  Force inertial_wrench(int i) const {
    const Inertia I = c_.inertia(i, Grouping::second_moment_zz);
    if (c_.has_payload(i)) label_inertia(i, I);
    const BodyMotion& b = motions_.body(i);
    const Vector3 turning =
        c_.has_payload(i) ? rotational_moment(b, I.J) : rotational_moment(b.U, c_.second_moments(i));
    return {turning + cross(I.h, b.a), b.a * I.m + b.U * I.h};
  }

  void label_inertia(int i, const Inertia& I) const {
    c_.label(I.m, c_.of_body("m_alone", i));
    c_.label(I.h, c_.of_body("h_alone", i));
    c_.label(I.J, c_.of_body("J_alone", i));
  }

  /// The last term as J wd + w x J w: shorter if J is an input, and Sigma would have to be computed.
  static Vector3 rotational_moment(const BodyMotion& b, const Symmetric3& J) {
    const auto component = [&](int x, int y, int z) {
      return b.U(y, x) * J(x, z) - b.U(z, x) * J(x, y) + (b.U(y, y) - b.U(z, z)) * J(y, z) +
             b.w[y] * b.w[z] * (J(z, z) - J(y, y)) + b.wd[x] * J(x, x);
    };
    return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
  }

  static Vector3 rotational_moment(const Matrix3& U, const Symmetric3& Sigma) {
    const auto component = [&](int x, int y, int z) {
      return U(z, x) * Sigma(x, y) - U(y, x) * Sigma(x, z) + (U(z, z) - U(y, y)) * Sigma(y, z) +
             U(z, y) * Sigma(y, y) - U(y, z) * Sigma(z, z);
    };
    return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
  }

  void inward(int i) {
    c_.begin_section(i, "force");
    Force& total = wrench_[index(i)];
    Force own = inertial_wrench(i);
    c_.hint(own.n, c_.of_body("n_alone", i));
    c_.hint(own.f, c_.of_body("f_alone", i));
    if (c_.has_forces())
      own = own + c_.label(motions_.external_wrench(i), c_.of_body("fext", i)) * Scalar(-1.0);
    total.f = c_.label(own.f + total.f, c_.of_body("f", i));
    total.n = c_.label(own.n + total.n, c_.of_body("n", i));
    for (const JointAxis& axis : c_.axes(i))
      c_.add(tau_[index(axis.idx_v)], axis.multiplier, dot(total, axis.S));
    if (c_.parent(i) < 0) return;
    Force& parent = wrench_[index(c_.parent(i))];
    const Force moved = motions_.joint(i).to_parent(total);
    c_.hint(moved.n, c_.of_body("n", i) + "m");
    c_.hint(moved.f, c_.of_body("f", i) + "m");
    parent = parent + c_.sum_limbs_for_parent(i, moved);
  }

  Context& c_;
  BodyMotions motions_;
  std::vector<Force> wrench_;
  Coordinates tau_;
};

}  // namespace

Coordinates inverse_dynamics(Context& context, const Coordinates& v, const Coordinates& a) {
  Coordinates tau = NewtonEuler(context, v, a, context.gravity()).run().tau();
  add_joint_dynamics(context, v, a, tau);
  return tau;
}

std::vector<Force> wrenches_without_gravity(Context& context, const Coordinates& v, const Coordinates& a) {
  const Scalar zero(0.0);
  return NewtonEuler(context, v, a, {zero, zero, zero}).run().wrenches();
}

void rnea(Context& c) { c.output("tau", inverse_dynamics(c, c.input("v"), c.input("a"))); }

void bias(Context& c) { c.output("tau", inverse_dynamics(c, c.input("v"), c.zeros())); }

void gravity(Context& c) { c.output("tau", inverse_dynamics(c, c.zeros(), c.zeros())); }

void gravity_by_composites(Context& c) {
  std::vector<JointMotion> joints;
  std::vector<Vector3> a;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    joints.push_back(joint_motion(c, i));
    const int parent = c.parent(i);
    const Vector3 a_parent = parent < 0 ? -c.gravity() : a[index(parent)];
    const Rotation& R = joints.back().R;
    a.push_back(c.label(parent < 0 ? R.to_child_alone(a_parent) : R.to_child(a_parent), c.of_body("a", i)));
  }

  struct Moments {
    Scalar m{};
    Vector3 h;
  };
  std::vector<Moments> composites(a.size());
  Coordinates tau = c.zeros();
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "force");
    const auto k = index(i);
    const Inertia own = c.inertia(i, Grouping::second_moment_zz);
    Moments& composite = composites[k];
    composite.m += own.m;
    composite.h = c.label(composite.h + own.h, c.of_body("h", i));
    for (const JointAxis& axis : c.axes(i)) {
      const Vector3 lever = cross(axis.S.w, composite.h) + axis.S.u * composite.m;
      c.add(tau[index(axis.idx_v)], axis.multiplier, dot(lever, a[k]));
    }
    if (c.parent(i) < 0) continue;
    Moments& above = composites[index(c.parent(i))];
    above.m += c.sum_limbs_for_parent(i, composite.m);
    above.h =
        above.h + c.sum_limbs_for_parent(i, joints[k].R.to_parent(composite.h) + joints[k].p * composite.m);
  }
  c.output("tau", tau);
}

}  // namespace featherline::algorithms
