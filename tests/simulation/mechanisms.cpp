// A four-bar linkage and a mobile manipulator that cannot slide sideways move freely for ten seconds: without losses,
// their energy stays, and so do their constraints.
#include <free_four_bar.hpp>
#include <free_nonholonomic_mobile_manipulator.hpp>
#include <held_four_bar.hpp>
#include <held_nonholonomic_mobile_manipulator.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace mechanisms {

namespace {

using Eigen::VectorXd;

/// The functions of one robot. `planar`: its first joint is a planar base.
struct Robot {
  int nq, nv, num_constraints, num_rows, num_residual_rows;
  bool planar;
  void (*constrained_dynamics)(const double*, const double*, const double*, const double*, double*, double*);
  void (*impulse_dynamics)(const double*, const double*, const double*, double*, double*);
  void (*constraint_residual)(const double*, const double*, double*, double*);
  void (*kinetic_energy)(const double*, const double*, double*);
  void (*potential_energy)(const double*, double*);
  void (*integrate)(const double*, const double*, double*);
};

#define ROBOT(name, planar)                                                                                \
  Robot {                                                                                                  \
    name::nq, name::nv, name::num_constraints, name::num_constraint_rows, name::num_residual_rows, planar, \
        name::constrained_dynamics<double>, name::impulse_dynamics<double>,                                \
        name::constraint_residual<double>, name::kinetic_energy<double>, name::potential_energy<double>,   \
        name::integrate<double>                                                                            \
  }

VectorXd moved(const Robot& robot, const VectorXd& q, const VectorXd& step) {
  VectorXd next(robot.nq);
  robot.integrate(q.data(), step.data(), next.data());
  return next;
}

VectorXd acceleration(const Robot& robot, const VectorXd& q, const VectorXd& v) {
  const VectorXd tau = VectorXd::Zero(robot.nv), active = VectorXd::Ones(robot.num_constraints);
  VectorXd a(robot.nv), lambda(robot.num_rows);
  robot.constrained_dynamics(q.data(), v.data(), tau.data(), active.data(), a.data(), lambda.data());
  return a;
}

/// The nearest velocity, in the metric of the inertia, that the constraints allow.
VectorXd allowed(const Robot& robot, const VectorXd& q, const VectorXd& v) {
  const VectorXd active = VectorXd::Ones(robot.num_constraints);
  VectorXd after(robot.nv), impulse(robot.num_rows);
  robot.impulse_dynamics(q.data(), v.data(), active.data(), after.data(), impulse.data());
  return after;
}

double energy(const Robot& robot, const VectorXd& q, const VectorXd& v) {
  double T = 0.0, U = 0.0;
  robot.kinetic_energy(q.data(), v.data(), &T);
  robot.potential_energy(q.data(), &U);
  return T + U;
}

double residual(const Robot& robot, const VectorXd& q, const VectorXd& v) {
  VectorXd e(robot.num_residual_rows), de(robot.num_residual_rows);
  robot.constraint_residual(q.data(), v.data(), e.data(), de.data());
  return std::max(e.lpNorm<Eigen::Infinity>(), de.lpNorm<Eigen::Infinity>());
}

/// Commutator of two motions of a planar base, [vx vy omega] in its own axes. Other coordinates commute.
VectorXd bracket(const Robot& robot, const VectorXd& a, const VectorXd& b) {
  VectorXd c = VectorXd::Zero(robot.nv);
  if (!robot.planar) return c;
  c[0] = b[2] * a[1] - a[2] * b[1];
  c[1] = a[2] * b[0] - b[2] * a[0];
  return c;
}

struct State {
  VectorXd q, v;
};

/// Runge and Kutta's method of fourth order, on the group of configurations (Munthe-Kaas 1999).
State step(const Robot& robot, const State& x, double h) {
  const VectorXd a1 = acceleration(robot, x.q, x.v), k1 = h * x.v;
  const VectorXd v2 = x.v + 0.5 * h * a1, q2 = moved(robot, x.q, 0.5 * k1);
  const VectorXd a2 = acceleration(robot, q2, v2), k2 = h * v2;
  const VectorXd v3 = x.v + 0.5 * h * a2, q3 = moved(robot, x.q, 0.5 * k2 + 0.125 * bracket(robot, k1, k2));
  const VectorXd a3 = acceleration(robot, q3, v3), k3 = h * v3;
  const VectorXd v4 = x.v + h * a3, q4 = moved(robot, x.q, k3);
  const VectorXd a4 = acceleration(robot, q4, v4), k4 = h * v4;
  return {moved(robot, x.q, (k1 + 2.0 * k2 + 2.0 * k3 + k4 + 0.5 * bracket(robot, k1, k4)) / 6.0),
          x.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)};
}

struct Course {
  double energy_error = 0.0;  ///< largest, relative to the kinetic energy at the start
  double residual = 0.0;      ///< largest
  double turned = 0.0;        ///< how far the first coordinate after a base has come
};

Course simulate(const Robot& robot, State x, double h) {
  double T = 0.0;
  robot.kinetic_energy(x.q.data(), x.v.data(), &T);
  const double start = energy(robot, x.q, x.v);
  const Eigen::Index watched = robot.planar ? 3 : 0;
  const double first = x.q[watched];
  Course course;
  const int steps = static_cast<int>(std::lround(10.0 / h));
  for (int k = 0; k < steps; ++k) {
    x = step(robot, x, h);
    if (k % 50 != 0) continue;
    course.energy_error = std::max(course.energy_error, std::abs(energy(robot, x.q, x.v) - start) / T);
    course.residual = std::max(course.residual, residual(robot, x.q, x.v));
    course.turned = std::max(course.turned, std::abs(x.q[watched] - first));
  }
  return course;
}

/// The linkage closed at this crank angle; joints are in the order crank, coupler, rocker.
State closed_four_bar(const Robot& robot, double crank, double speed) {
  const Eigen::Vector2d tip(0.1 * std::cos(crank), 0.1 * std::sin(crank)), pivot(0.3, 0.0);
  const Eigen::Vector2d between = pivot - tip;
  const double d = between.norm(), coupler = 0.25, rocker = 0.2;
  const double along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
  const double across = std::sqrt(coupler * coupler - along * along);
  const Eigen::Vector2d unit = between / d,
                        pin = tip + along * unit + across * Eigen::Vector2d(-unit.y(), unit.x());
  const Eigen::Vector2d of_coupler = pin - tip, of_rocker = pin - pivot;
  State x{VectorXd(3), VectorXd(3)};
  x.q << crank, std::atan2(of_coupler.y(), of_coupler.x()) - crank, std::atan2(of_rocker.y(), of_rocker.x());
  x.v << speed, 0.0, 0.0;
  x.v = allowed(robot, x.q, x.v);
  return x;
}

State moving_manipulator(const Robot& robot) {
  State x{VectorXd(9), VectorXd(9)};
  x.q << 0.5, -0.2, 0.7, 0.3, -1.0, 0.8, -0.4, 0.6, 0.2;
  x.v << 0.6, 0.3, 0.8, 0.5, -0.4, 0.6, 0.3, -0.5, 0.7;
  x.v = allowed(robot, x.q, x.v);
  return x;
}

}  // namespace

TEST_CASE("a four-bar linkage turns for ten seconds") {
  const Robot free = ROBOT(free_four_bar, false), held = ROBOT(held_four_bar, false);
  const State start = closed_four_bar(free, 0.4, 20.0);
  REQUIRE(residual(free, start.q, start.v) < 1e-13);
  const Course drifting = simulate(free, start, 5e-5), course = simulate(held, start, 5e-5);
  MESSAGE("without stabilisation the loop opens by ", drifting.residual, " in ten seconds");
  CHECK(course.turned > 20.0);  // it goes round
  CHECK(course.energy_error <= 1e-9);
  CHECK(drifting.energy_error <= 1e-9);
  CHECK(course.residual <= 1e-9);
}

TEST_CASE("a mobile manipulator that cannot slide sideways moves for ten seconds") {
  const Robot free = ROBOT(free_nonholonomic_mobile_manipulator, true),
              held = ROBOT(held_nonholonomic_mobile_manipulator, true);
  const State start = moving_manipulator(free);
  REQUIRE(residual(free, start.q, start.v) < 1e-13);
  const Course drifting = simulate(free, start, 1e-4), course = simulate(held, start, 1e-4);
  MESSAGE("without stabilisation the base slides at ", drifting.residual, " m/s after ten seconds");
  CHECK(course.energy_error <= 1e-9);
  CHECK(drifting.energy_error <= 1e-9);
  CHECK(course.residual <= 1e-9);
}

}  // namespace mechanisms
