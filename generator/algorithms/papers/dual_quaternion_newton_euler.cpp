#include "algorithms/papers/papers.hpp"

#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Vector = Vector3;
using Pure = PureDualQuaternion;

class DualQuaternionNewtonEuler {
 public:
  DualQuaternionNewtonEuler(Context& context, const Values& v, const Values& a)
      : c_(context), v_(v), a_(a), tau_(context.zeros()) {}

  Values run() {
    for (int i = 0; i < c_.num_bodies(); ++i) outward(i);
    for (int i = c_.num_bodies(); i-- > 0;) inward(i);
    return std::move(tau_);
  }

 private:
  /// All in the frame c of the body.
  struct Body {
    DualQuaternion x;                            ///< the pose of c in the parent's frame
    Quaternion r{{0.0, 0.0, 0.0}, Scalar(1.0)};  ///< the turn of c in the world
    Pure xi, xid;                                ///< twist, and its rate
    Pure zeta;                                   ///< wrench on the body and all that it carries
  };

  const Body& body(int i) const { return bodies_[index(i)]; }

  void outward(int i) {
    c_.begin_section(i, "twist");
    const Body parent = c_.parent(i) < 0 ? Body() : body(c_.parent(i));
    Body b;
    b.x = joint_pose(c_, i);
    b.r = parent.r * b.x.P;
    const DualQuaternion inward = conjugate(b.x);
    const Pure carried = Ad(inward, parent.xi);
    const Pure joint = twist(joint_rate(c_, i, v_)), joint_rate_of_change = twist(joint_rate(c_, i, a_));
    b.xi = carried + joint;                                                          // (19)
    b.xid = Ad(inward, parent.xid) + joint_rate_of_change + cross(-joint, carried);  // (20), (21)
    label(b.xi, "w", "v", i);
    label(b.xid, "wd", "vd", i);
    bodies_.push_back(b);
  }

  /// Eqs. (23) to (26) about the origin.
  Pure inertial_wrench(int i) const {
    const Body& b = body(i);
    const Inertia I = c_.inertia(i, Grouping::second_moment_zz);
    const Matrix3 J = I.J.full();
    const Vector g = Ad(conjugate(b.r), c_.gravity());
    const Vector acceleration = b.xid.D + cross(b.xi.P, b.xi.D) - g;
    return {acceleration * I.m + cross(b.xid.P, I.h) + cross(b.xi.P, cross(b.xi.P, I.h)),
            L3(J, b.xid.P) + cross(b.xi.P, L3(J, b.xi.P)) + cross(I.h, acceleration)};
  }

  Pure external_wrench(int i) const {
    const Quaternion to_body = conjugate(body(i).r);
    const Force wrench = external_forces_on(
                             c_, i, [&](const Vector& x, const char*) { return Ad(to_body, x); },
                             [](const Vector& p) { return p; })
                             .wrench;
    return {wrench.f, wrench.n};
  }

  void inward(int i) {
    c_.begin_section(i, "wrench");
    Body& b = bodies_[index(i)];
    b.zeta = b.zeta + inertial_wrench(i);
    if (c_.has_forces()) b.zeta = b.zeta + -external_wrench(i);
    label(b.zeta, "f", "n", i);
    for (const JointAxis& axis : c_.axes(i))
      c_.add(tau_[index(axis.idx_v)], axis.multiplier, inner(b.zeta, twist(axis.S)).D);  // (30)
    if (c_.parent(i) < 0) return;
    Pure& parent = bodies_[index(c_.parent(i))].zeta;
    parent = parent + Ad(b.x, b.zeta);  // (29)
  }

  void label(const Pure& x, const char* P, const char* D, int i) {
    c_.label(x.P, c_.of_body(P, i));
    c_.label(x.D, c_.of_body(D, i));
  }

  Context& c_;
  const Values &v_, &a_;
  std::vector<Body> bodies_;
  Values tau_;
};

void write_torques(Context& c, const Values& v, const Values& a) {
  Values tau = DualQuaternionNewtonEuler(c, v, a).run();
  add_joint_dynamics(c, v, a, tau);
  c.output("tau", tau);
}

}  // namespace

void rnea_by_dual_quaternions(Context& c) { write_torques(c, c.input("v"), c.input("a")); }
void bias_by_dual_quaternions(Context& c) { write_torques(c, c.input("v"), c.zeros()); }
void gravity_by_dual_quaternions(Context& c) { write_torques(c, c.zeros(), c.zeros()); }

}  // namespace featherline::algorithms
