#include "algorithms/inverse_dynamics.hpp"

#include "algorithms/joint_friction.hpp"
#include "algorithms/joint_motion.hpp"
#include "algorithms/tracer.hpp"

#include <vector>

namespace featherline::algorithms {
namespace {

/// Motion of a body: everything in its own frame. The acceleration is that of the origin, gravity included, in the
/// classical sense (second time derivative of its position), so that linear velocity is never needed.
struct BodyMotion {
  Vector3 w = Vector3::Zero();   ///< angular velocity
  Vector3 wd = Vector3::Zero();  ///< angular acceleration
  Vector3 a = Vector3::Zero();   ///< acceleration of the origin minus gravity
  Matrix3 U = Matrix3::Zero();   ///< [wd]x + [w]x[w]x: acceleration of a fixed point r is a + U r
};

struct Wrench {
  Vector3 n = Vector3::Zero(), f = Vector3::Zero();  ///< moment about the body origin, force
};

class NewtonEuler {
 public:
  NewtonEuler(Tracer& tracer, const Coordinates& v, const Coordinates& a)
      : t_(tracer), v_(v), a_(a), tau_(zero_coordinates(tracer)) {}

  Coordinates run() {
    for (int i = 0; i < t_.num_bodies(); ++i) outward(i);
    wrench_.resize(motion_.size());
    for (int i = t_.num_bodies(); i-- > 0;) inward(i);
    return tau_;
  }

 private:
  void outward(int i) {
    t_.begin_section(i, "motion");
    joints_.push_back(joint_motion(t_, i));
    const JointMotion& X = joints_.back();
    const BodyMotion parent = parent_motion(i);
    const Twist vJ = joint_rate(t_.body(i).joint, v_), aJ = joint_rate(t_.body(i).joint, a_);

    BodyMotion m;
    const Vector3 w_parent = X.R.to_child(parent.w);
    m.w = t_.label(Vector3(w_parent + vJ.angular), "w", i);
    m.wd = t_.label(Vector3(X.R.to_child(parent.wd) + w_parent.cross(vJ.angular) + aJ.angular), "wd", i);
    const Vector3 a_parent = t_.label(Vector3(parent.a + parent.U * X.p), "o", i);
    m.a = X.R.to_child(a_parent) + w_parent.cross(vJ.linear) * Scalar(2.0) + vJ.angular.cross(vJ.linear) +
          aJ.linear;
    t_.label(m.a, "a", i);
    m.U = acceleration_tensor(m.w, m.wd, i);
    motion_.push_back(m);
  }

  BodyMotion parent_motion(int i) const {
    if (const int parent = t_.body(i).parent; parent >= 0) return motion_[static_cast<std::size_t>(parent)];
    BodyMotion ground;
    ground.a = to_scalar(-t_.tree().gravity);
    return ground;
  }

  /// U = [wd]x + w w^T - (w.w) 1: 6 products, 9 sums.
  Matrix3 acceleration_tensor(const Vector3& w, const Vector3& wd, int i) {
    const Scalar xx = w.x() * w.x(), yy = w.y() * w.y(), zz = w.z() * w.z();
    const Scalar xy = t_.label(w.x() * w.y(), "wxwy", i);
    const Scalar xz = t_.label(w.x() * w.z(), "wxwz", i);
    const Scalar yz = t_.label(w.y() * w.z(), "wywz", i);
    Matrix3 U;
    U << -(yy + zz), xy - wd.z(), xz + wd.y(), xy + wd.z(), -(xx + zz), yz - wd.x(), xz - wd.y(), yz + wd.x(),
        -(xx + yy);
    return U;
  }

  /// f = m a + U h;  n = h x a + the antisymmetric part of U Sigma, Sigma = tr(J)/2 1 - J (second moments).
  Wrench inertial_wrench(int i) const {
    const model::Inertia& I = t_.body(i).inertia;
    const BodyMotion& b = motion_[static_cast<std::size_t>(i)];
    const Vector3 h = to_scalar(I.h);
    const model::Matrix3 S = second_moments(I.J);
    const Matrix3& U = b.U;
    Wrench w;
    w.f = b.a * Scalar(I.mass) + U * h;
    w.n = rotational_moment(U, S) + h.cross(b.a);
    return w;
  }

  /// tr(J)/2 1 - J, with what rounding left of regrouped entries set to zero.
  static model::Matrix3 second_moments(const model::Matrix3& J) {
    const model::Matrix3 S = J.trace() / 2.0 * model::Matrix3::Identity() - J;
    const double residue = 1e-14 * J.cwiseAbs().maxCoeff();
    return (S.array().abs() < residue).select(0.0, S);
  }

  static Vector3 rotational_moment(const Matrix3& U, const model::Matrix3& S) {
    const auto component = [&](int x, int y, int z) {
      return U(z, x) * Scalar(S(x, y)) - U(y, x) * Scalar(S(x, z)) + (U(z, z) - U(y, y)) * Scalar(S(y, z)) +
             U(z, y) * Scalar(S(y, y)) - U(y, z) * Scalar(S(z, z));
    };
    return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
  }

  void inward(int i) {
    t_.begin_section(i, "force");
    Wrench& total = wrench_[static_cast<std::size_t>(i)];
    const Wrench own = inertial_wrench(i);
    total.f = t_.label(Vector3(own.f + total.f), "f", i);
    total.n = t_.label(Vector3(own.n + total.n), "n", i);
    for (const JointAxis& axis : joint_axes(t_.body(i).joint)) {
      const Scalar torque = to_scalar(axis.angular).dot(total.n) + to_scalar(axis.linear).dot(total.f);
      tau_[static_cast<std::size_t>(axis.idx_v)] += Scalar(axis.multiplier) * torque;
    }
    if (t_.body(i).parent >= 0) add_to_parent(i, total);
  }

  void add_to_parent(int i, const Wrench& total) {
    const JointMotion& X = joints_[static_cast<std::size_t>(i)];
    Wrench& parent = wrench_[static_cast<std::size_t>(t_.body(i).parent)];
    const Vector3 f = X.R.to_parent(total.f);
    parent.f += f;
    parent.n += X.R.to_parent(total.n) + X.p.cross(f);
  }

  Tracer& t_;
  const Coordinates& v_;
  const Coordinates& a_;
  std::vector<JointMotion> joints_;
  std::vector<BodyMotion> motion_;
  std::vector<Wrench> wrench_;
  Coordinates tau_;
};

constexpr const char* link_frames = "link frames";

}  // namespace

Coordinates inverse_dynamics(Tracer& tracer, const Coordinates& v, const Coordinates& a) {
  Coordinates tau = NewtonEuler(tracer, v, a).run();
  add_joint_friction(tracer, v, a, tau);
  return tau;
}

ir::Function trace_rnea(const model::CanonicalTree& tree) {
  Tracer t(tree, "rnea", link_frames, {{"q", tree.nq}, {"v", tree.nv}, {"a", tree.nv}}, {{"tau", tree.nv}});
  t.store_all(0, inverse_dynamics(t, input_coordinates(t, 1), input_coordinates(t, 2)));
  return t.take();
}

ir::Function trace_bias(const model::CanonicalTree& tree) {
  Tracer t(tree, "bias", link_frames, {{"q", tree.nq}, {"v", tree.nv}}, {{"tau", tree.nv}});
  t.store_all(0, inverse_dynamics(t, input_coordinates(t, 1), zero_coordinates(t)));
  return t.take();
}

ir::Function trace_gravity(const model::CanonicalTree& tree) {
  Tracer t(tree, "gravity", link_frames, {{"q", tree.nq}}, {{"tau", tree.nv}});
  t.store_all(0, inverse_dynamics(t, zero_coordinates(t), zero_coordinates(t)));
  return t.take();
}

ir::Function trace_gravity_composite(const model::CanonicalTree& tree) {
  Tracer t(tree, "gravity", "composite first moments", {{"q", tree.nq}}, {{"tau", tree.nv}});
  std::vector<JointMotion> joints;
  std::vector<Vector3> a;
  for (int i = 0; i < t.num_bodies(); ++i) {
    t.begin_section(i, "motion");
    joints.push_back(joint_motion(t, i));
    const int parent = t.body(i).parent;
    const Vector3 a_parent = parent < 0 ? to_scalar(-tree.gravity) : a[static_cast<std::size_t>(parent)];
    a.push_back(t.label(joints.back().R.to_child(a_parent), "a", i));
  }

  struct Moments {
    Scalar m = 0.0;
    Vector3 h = Vector3::Zero();
  };
  std::vector<Moments> composite(a.size());
  Coordinates tau = zero_coordinates(t);
  for (int i = t.num_bodies(); i-- > 0;) {
    t.begin_section(i, "force");
    Moments& c = composite[static_cast<std::size_t>(i)];
    c.m += Scalar(t.body(i).inertia.mass);
    c.h = t.label(Vector3(c.h + to_scalar(t.body(i).inertia.h)), "h", i);
    const Vector3& ai = a[static_cast<std::size_t>(i)];
    for (const JointAxis& axis : joint_axes(t.body(i).joint)) {
      const Vector3 lever = to_scalar(axis.angular).cross(c.h) + to_scalar(axis.linear) * c.m;
      tau[static_cast<std::size_t>(axis.idx_v)] += Scalar(axis.multiplier) * lever.dot(ai);
    }
    if (t.body(i).parent < 0) continue;
    const JointMotion& X = joints[static_cast<std::size_t>(i)];
    Moments& parent = composite[static_cast<std::size_t>(t.body(i).parent)];
    parent.m += c.m;
    parent.h += X.R.to_parent(c.h) + X.p * c.m;
  }
  t.store_all(0, tau);
  return t.take();
}

}  // namespace featherline::algorithms
