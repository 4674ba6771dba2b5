#include "algorithms/inverse_dynamics.hpp"

#include "algorithms/body_motion.hpp"
#include "algorithms/joint_dynamics.hpp"

namespace featherline::algorithms {
namespace {

template <class T>
class NewtonEuler {
 public:
  NewtonEuler(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
              const Vector3<T>& gravity)
      : c_(context), motions_(context, v, a, gravity), tau_(context.zeros()) {}

  const Coordinates<T>& tau() const { return tau_; }
  const std::vector<Force<T>>& wrenches() const { return wrench_; }

  NewtonEuler& run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "motion");
      motions_.outward(i);
    }
    wrench_.resize(static_cast<std::size_t>(c_.num_bodies()));
    for (int i = c_.num_bodies(); i-- > 0;) inward(i);
    return *this;
  }

 private:
  /// f = m a + U h;  n = h x a + the antisymmetric part of U Sigma, Sigma = tr(J)/2 1 - J (second moments).
  Force<T> inertial_wrench(int i) const {
    const Inertia<T> I = c_.inertia(i, Grouping::second_moment_zz);
    if (c_.has_payload(i)) label_inertia(i, I);
    const BodyMotion<T>& b = motions_.body(i);
    const Vector3<T> turning =
        c_.has_payload(i) ? rotational_moment(b, I.J) : rotational_moment(b.U, c_.second_moments(i));
    return {turning + cross(I.h, b.a), b.a * I.m + b.U * I.h};
  }

  void label_inertia(int i, const Inertia<T>& I) const {
    c_.label(I.m, c_.of_body("m_own", i));
    c_.label(I.h, c_.of_body("h_own", i));
    c_.label(I.J, c_.of_body("J_own", i));
  }

  /// The last term as J wd + w x J w: shorter if J is an input, and Sigma would have to be computed.
  static Vector3<T> rotational_moment(const BodyMotion<T>& b, const Symmetric3<T>& J) {
    const auto component = [&](int x, int y, int z) {
      return b.U(y, x) * J(x, z) - b.U(z, x) * J(x, y) + (b.U(y, y) - b.U(z, z)) * J(y, z) +
             b.w[y] * b.w[z] * (J(z, z) - J(y, y)) + b.wd[x] * J(x, x);
    };
    return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
  }

  static Vector3<T> rotational_moment(const Matrix3<T>& U, const Symmetric3<T>& Sigma) {
    const auto component = [&](int x, int y, int z) {
      return U(z, x) * Sigma(x, y) - U(y, x) * Sigma(x, z) + (U(z, z) - U(y, y)) * Sigma(y, z) +
             U(z, y) * Sigma(y, y) - U(y, z) * Sigma(z, z);
    };
    return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
  }

  void inward(int i) {
    c_.begin_section(i, "force");
    Force<T>& total = wrench_[static_cast<std::size_t>(i)];
    Force<T> own = inertial_wrench(i);
    if (c_.has_forces()) own = own + c_.label(motions_.external_wrench(i), c_.of_body("fext", i)) * T(-1.0);
    total.f = c_.label(own.f + total.f, c_.of_body("f", i));
    total.n = c_.label(own.n + total.n, c_.of_body("n", i));
    for (const JointAxis<T>& axis : c_.axes(i)) {
      T& tau = tau_[static_cast<std::size_t>(axis.idx_v)];
      tau += axis.multiplier * dot(total, axis.S);
      c_.keep(tau);
    }
    if (c_.parent(i) < 0) return;
    Force<T>& parent = wrench_[static_cast<std::size_t>(c_.parent(i))];
    parent = parent + c_.at_parent(i, motions_.joint(i).to_parent(total));
  }

  Context<T>& c_;
  BodyMotions<T> motions_;
  std::vector<Force<T>> wrench_;
  Coordinates<T> tau_;
};

}  // namespace

template <class T>
Coordinates<T> inverse_dynamics(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a) {
  Coordinates<T> tau = NewtonEuler<T>(context, v, a, context.gravity()).run().tau();
  add_joint_dynamics(context, v, a, tau);
  return tau;
}

template <class T>
std::vector<Force<T>> wrenches_without_gravity(Context<T>& context, const Coordinates<T>& v,
                                               const Coordinates<T>& a) {
  const T zero(0.0);
  return NewtonEuler<T>(context, v, a, {zero, zero, zero}).run().wrenches();
}

template <class T>
void rnea(Context<T>& c) {
  c.output("tau", inverse_dynamics(c, c.input("v"), c.input("a")));
}

template <class T>
void bias(Context<T>& c) {
  c.output("tau", inverse_dynamics(c, c.input("v"), c.zeros()));
}

template <class T>
void gravity(Context<T>& c) {
  c.output("tau", inverse_dynamics(c, c.zeros(), c.zeros()));
}

template <class T>
void gravity_by_composites(Context<T>& c) {
  std::vector<JointMotion<T>> joints;
  std::vector<Vector3<T>> a;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    joints.push_back(joint_motion(c, i));
    const int parent = c.parent(i);
    const Vector3<T> a_parent = parent < 0 ? -c.gravity() : a[static_cast<std::size_t>(parent)];
    const Rotation<T>& R = joints.back().R;
    a.push_back(c.label(parent < 0 ? R.to_child_alone(a_parent) : R.to_child(a_parent), c.of_body("a", i)));
  }

  struct Moments {
    T m{};
    Vector3<T> h;
  };
  std::vector<Moments> composites(a.size());
  Coordinates<T> tau = c.zeros();
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "force");
    const auto k = static_cast<std::size_t>(i);
    const Inertia<T> own = c.inertia(i, Grouping::second_moment_zz);
    Moments& composite = composites[k];
    composite.m += own.m;
    composite.h = c.label(composite.h + own.h, c.of_body("h", i));
    for (const JointAxis<T>& axis : c.axes(i)) {
      const Vector3<T> lever = cross(axis.S.w, composite.h) + axis.S.u * composite.m;
      T& torque = tau[static_cast<std::size_t>(axis.idx_v)];
      torque += axis.multiplier * dot(lever, a[k]);
      c.keep(torque);
    }
    if (c.parent(i) < 0) continue;
    Moments& above = composites[static_cast<std::size_t>(c.parent(i))];
    above.m += c.at_parent(i, composite.m);
    above.h = above.h + c.at_parent(i, joints[k].R.to_parent(composite.h) + joints[k].p * composite.m);
  }
  c.output("tau", tau);
}

template Coordinates<Scalar> inverse_dynamics(Context<Scalar>&, const Coordinates<Scalar>&,
                                              const Coordinates<Scalar>&);
template Coordinates<double> inverse_dynamics(Context<double>&, const Coordinates<double>&,
                                              const Coordinates<double>&);
template std::vector<Force<Scalar>> wrenches_without_gravity(Context<Scalar>&, const Coordinates<Scalar>&,
                                                             const Coordinates<Scalar>&);
template std::vector<Force<double>> wrenches_without_gravity(Context<double>&, const Coordinates<double>&,
                                                             const Coordinates<double>&);
template void rnea(Context<Scalar>&);
template void rnea(Context<double>&);
template void bias(Context<Scalar>&);
template void bias(Context<double>&);
template void gravity(Context<Scalar>&);
template void gravity(Context<double>&);
template void gravity_by_composites(Context<Scalar>&);
template void gravity_by_composites(Context<double>&);

}  // namespace featherline::algorithms
