#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"

namespace featherline::algorithms {
namespace {

/// The antisymmetric part of U Sigma, where Sigma = tr(J)/2 1 - J are the second moments, as J wd + w x J w: shorter if
/// J is an input, and Sigma would have to be computed.
Vector3 inertial_moment(const BodyMotion& b, const Symmetric3& J) {
  const auto component = [&](int x, int y, int z) {
    return b.U(y, x) * J(x, z) - b.U(z, x) * J(x, y) + (b.U(y, y) - b.U(z, z)) * J(y, z) +
           b.w[y] * b.w[z] * (J(z, z) - J(y, y)) + b.wd[x] * J(x, x);
  };
  return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
}

NewtonEuler newton_euler(Context& c, const Coordinates& v, const Coordinates& a, const Vector3& gravity) {
  BodyMotions motions(c, v, a, gravity);
  return algorithms::newton_euler(c, motions);
}

/// Without springs, which inverse_dynamics() adds.
Coordinates gravity_at_rest(Context& c) {
  Coordinates tau = newton_euler(c, c.zeros(), c.zeros(), c.felt_gravity()).tau;
  lift(c, tau);
  return tau;
}

Coordinates gravity_without_lift(Context& c) {
  Coordinates tau = gravity_torques(c);
  lift(c, tau);
  return tau;
}

template <Coordinates torques(Context&)>
void output_torques(Context& c) {
  if (!c.has_clusters()) return c.output("tau", torques(c));
  AllJoints joints(c);
  c.output("tau", joints.torques(torques(joints.context())));
}

}  // namespace

Force wrench_of_body(Context& c, int i, const BodyMotion& b) {
  const Inertia I = c.inertia(i, Grouping::second_moment_zz);
  if (c.has_payload(i)) {
    c.label(I.m, c.of_body("m_alone", i));
    c.label(I.h, c.of_body("h_alone", i));
    c.label(I.J, c.of_body("J_alone", i));
  }
  const Vector3 turning =
      c.has_payload(i) ? inertial_moment(b, I.J) : rotational_moment(b.U, c.second_moments(i));
  return inertial_wrench(I, turning, b);
}

Vector3 rotational_moment(const Matrix3& U, const Symmetric3& Sigma) {
  const auto component = [&](int x, int y, int z) {
    return U(z, x) * Sigma(x, y) - U(y, x) * Sigma(x, z) + (U(z, z) - U(y, y)) * Sigma(y, z) +
           U(z, y) * Sigma(y, y) - U(y, z) * Sigma(z, z);
  };
  return {component(0, 1, 2), component(1, 2, 0), component(2, 0, 1)};
}

Force inertial_wrench(const Inertia& I, const Vector3& turning, const BodyMotion& b) {
  return {turning + cross(I.h, b.a), b.a * I.m + b.U * I.h};
}

std::vector<Force> wrenches_alone(Context& c, BodyMotions& motions, OwnWrench* own) {
  std::vector<Force> wrenches(index(c.num_bodies()));
  const auto add = [&](int i) {
    const Force wrench = wrenches[index(i)] = own(c, i, motions.body(i));
    c.label(wrench.f, c.of_body("f_alone", i));
    c.label(wrench.n, c.of_body("n_alone", i));
    if (c.has_forces()) {
      wrenches[index(i)] =
          wrench + c.label(motions.external_forces(i).wrench, c.of_body("fext", i)) * Scalar(-1.0);
    }
  };
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    motions.outward(i);
    if (c.parent(i) >= 0) add(i);
  }
  for (int i = 0; i < c.num_bodies(); ++i) {  // all that it carries waits for the motion of a root
    if (c.parent(i) >= 0) continue;
    c.begin_section(i, "motion");
    add(i);
  }
  return wrenches;
}

NewtonEuler newton_euler(Context& c, BodyMotions& motions, OwnWrench* own) {
  NewtonEuler result{c.zeros(), wrenches_alone(c, motions, own)};
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "force");
    const Force& total = result.wrenches[index(i)];
    c.label(total.f, c.of_body("f", i));
    c.label(total.n, c.of_body("n", i));
    for (const JointAxis& axis : c.axes(i))
      c.add(result.tau[index(axis.idx_v)], axis.multiplier, dot(total, axis.S));
    c.add_to_parent(i, result.wrenches, [&] {
      const Force moved = motions.joint(i).to_parent(total);
      c.hint(moved.n, c.of_body("n", i) + "m");
      c.hint(moved.f, c.of_body("f", i) + "m");
      return moved;
    });
  }
  return result;
}

Coordinates inverse_dynamics(Context& context, const Coordinates& v, const Coordinates& a) {
  if (context.has_clusters()) {
    AllJoints joints(context);
    return joints.torques(
        inverse_dynamics(joints.context(), joints.velocities(v), joints.accelerations(v, a)));
  }
  Coordinates tau = newton_euler(context, v, a, context.felt_gravity()).tau;
  add_joint_dynamics(context, v, a, tau);
  return tau;
}

std::vector<Force> wrenches_without_gravity(Context& context, const Coordinates& v, const Coordinates& a) {
  return newton_euler(context, v, a, {}).wrenches;
}

void rnea(Context& c) { c.output("tau", inverse_dynamics(c, c.input("v"), c.input("a"))); }

void rnea_vjp(Context& c) {
  const Coordinates &v = c.input("v"), &a = c.input("a");
  const Gradient gradient(c, inverse_dynamics(c, v, a), c.input("w"));
  c.output("wq", gradient.by_steps());
  c.output("wv", gradient.by(v));
  c.output("wa", gradient.by(a));
}

void bias(Context& c) { c.output("tau", inverse_dynamics(c, c.input("v"), c.zeros())); }

void gravity(Context& c) { output_torques<gravity_at_rest>(c); }

Coordinates gravity_torques(Context& c) {
  std::vector<JointMotion> joints;
  std::vector<Vector3> a;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    joints.push_back(joint_motion(c, i));
    const int parent = c.parent(i);
    const Vector3 a_parent = parent < 0 ? -c.felt_gravity() : a[index(parent)];
    const Rotation& R = joints.back().R;
    a.push_back(c.label(parent < 0 ? R.to_child_alone(a_parent) : R.to_child(a_parent), c.of_body("a", i)));
  }

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
  return tau;
}

void gravity_by_composites(Context& c) { output_torques<gravity_without_lift>(c); }

// The rate of inverse dynamics. The vectors of the sweeps change entry by entry, in the axes of their bodies. There,
// inertias stand still, so a force that is linear in the motion changes as the motion does.

namespace {

Symmetric3 second_moments_of(const Symmetric3& J) {
  const Scalar half = (J.xx + J.yy + J.zz) * Scalar(0.5);
  return {half - J.xx, -J.xy, -J.xz, half - J.yy, -J.yz, half - J.zz};
}

/// Of the force that the body alone needs. External forces stand still in the world.
Force own_rate(Context& c, int i, const BodyMotions& motions, const BodyMotion& rate) {
  const Inertia I = c.inertia(i, Grouping::second_moment_zz);
  const Symmetric3 Sigma = c.has_payload(i) ? second_moments_of(I.J) : c.second_moments(i);
  const Force own = inertial_wrench(I, rotational_moment(rate.U, Sigma), rate);
  if (!c.has_forces()) return own;
  return own + motions.external_forces(i).turning.times(Motion{motions.body(i).w, {}});
}

std::vector<BodyMotion> motion_rates(Context& c, const BodyMotions& motions, const Coordinates& jerk) {
  std::vector<BodyMotion> list;
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "rate of motion");
    list.push_back(motions.rate(i, c.parent(i) < 0 ? BodyMotion{} : list[index(c.parent(i))], jerk));
  }
  return list;
}

Coordinates rates_along(Context& c, const Coordinates& tau, const Coordinates& v, const Coordinates& a,
                        const Coordinates& jerk) {
  std::vector<Changing> changing = moving_positions(c, v);
  changing.insert(changing.end(), {{v, a}, {a, jerk}});
  return rates(tau, changing);
}

Coordinates rates_of_drives(Context& c, const Coordinates& v, const Coordinates& a, const Coordinates& jerk) {
  Coordinates tau = c.zeros();
  add_joint_dynamics(c, v, a, tau);
  return rates_along(c, tau, v, a, jerk);
}

}  // namespace

void rnea_rate(Context& c) {
  const Coordinates &v = c.input("v"), &a = c.input("a"), &jerk = c.input("jerk");
  if (c.has_clusters()) return c.output("tau_rate", rates_along(c, inverse_dynamics(c, v, a), v, a, jerk));
  BodyMotions motions(c, v, a, c.felt_gravity());
  const std::vector<Force> forces = newton_euler(c, motions).wrenches;
  const std::vector<BodyMotion> rates = motion_rates(c, motions, jerk);
  Coordinates tau_rate = c.zeros();
  std::vector<Force> force_rates(forces.size());
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "rate of force");
    Force& total = force_rates[index(i)];
    total = total + own_rate(c, i, motions, rates[index(i)]);
    c.label(total.f, c.of_body("rate_f", i));
    c.label(total.n, c.of_body("rate_n", i));
    for (const JointAxis& axis : c.axes(i))
      c.add(tau_rate[index(axis.idx_v)], axis.multiplier, dot(total, axis.S));
    c.add_to_parent(i, force_rates, [&] {
      return motions.joint(i).to_parent(total + cross_dual(joint_rate(c, i, v), forces[index(i)]));
    });
  }
  c.output("tau_rate", tau_rate + rates_of_drives(c, v, a, jerk));
}

}  // namespace featherline::algorithms
