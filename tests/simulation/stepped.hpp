// A robot that steps on a ground, as a user would write it.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <functional>

namespace stepped {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// The functions of one robot whose base floats.
struct Robot {
  int nq, nv, num_points;
  const double* neutral;
  void (*contact_step)(const double*, const double*, const double*, double, const double*, double*, double*,
                       double*, double*);
  void (*kinetic_energy)(const double*, const double*, double*);
  void (*potential_energy)(const double*, double*);
};

#define STEPPED_ROBOT(name)                                                               \
  stepped::Robot {                                                                        \
    name::nq, name::nv, name::num_constraints, name::neutral, name::contact_step<double>, \
        name::kinetic_energy<double>, name::potential_energy<double>                      \
  }

/// At rest at the neutral position, until it is changed. `contact` holds normals along z at first.
struct Simulation {
  Robot robot;
  VectorXd q, v, tau, contact, impulse, status;
  double dt;

  Simulation(const Robot& of, double step, double friction, double restitution)
      : robot(of),
        q(Eigen::Map<const VectorXd>(of.neutral, of.nq)),
        v(VectorXd::Zero(of.nv)),
        tau(VectorXd::Zero(of.nv)),
        contact(VectorXd::Zero(6 * of.num_points)),
        impulse(VectorXd::Zero(3 * of.num_points)),
        status(VectorXd::Zero(4 + of.num_points)),
        dt(step) {
    for (int k = 0; k < of.num_points; ++k)
      contact.segment<5>(6 * k + 1) << 0.0, 0.0, 1.0, friction, restitution;
  }

  Eigen::Quaterniond turn() const { return {q[6], q[3], q[4], q[5]}; }
  /// Of the base, in axes of the world.
  Vector3d linear() const { return turn() * v.head<3>(); }
  Vector3d angular() const { return turn() * v.segment<3>(3); }
  void set_linear(const Vector3d& speed) { v.head<3>() = turn().conjugate() * speed; }
  void set_angular(const Vector3d& speed) { v.segment<3>(3) = turn().conjugate() * speed; }
  double energy() const {
    double T = 0.0, U = 0.0;
    robot.kinetic_energy(q.data(), v.data(), &T);
    robot.potential_energy(q.data(), &U);
    return T + U;
  }

  double& gap(int point) { return contact[6 * point]; }
  void set_normals(const Vector3d& normal) {
    for (int k = 0; k < robot.num_points; ++k) contact.segment<3>(6 * k + 1) = normal;
  }
  bool is_solved() const { return status[2] == 0.0; }
  double mode(int point) const { return status[4 + point]; }

  void step() {
    VectorXd q_next(robot.nq), v_next(robot.nv);
    robot.contact_step(q.data(), v.data(), tau.data(), dt, contact.data(), q_next.data(), v_next.data(),
                       impulse.data(), status.data());
    q = q_next;
    v = v_next;
  }
};

}  // namespace stepped
