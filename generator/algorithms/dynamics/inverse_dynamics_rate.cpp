#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"

/// The rate of inverse dynamics. The vectors of the sweeps change entry by entry, in the axes of their bodies. There,
/// inertias stand still, so a force that is linear in the motion changes as the motion does.
namespace featherline::algorithms {
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
