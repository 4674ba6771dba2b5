// arm7 fetches a load of 5 kg and puts it down behind a ridge, quickly and with little torque. The load is an input of
// all functions, so each leg of the way has its own. What IPOPT finds is simulated.
#include "collocation.hpp"

#include <arm7.hpp>

#include <Eigen/Dense>
#include <cstdio>

namespace {

constexpr int n = arm7::nv;
using Vector = Eigen::Matrix<double, n, 1>;
using Jacobian = Eigen::Matrix<double, 6, n>;

/// 5 kg, a cube of 10 cm whose centre is 6 cm before the tool.
constexpr double mass = 5.0, ahead = 0.06, about_center = mass * 0.1 * 0.1 / 6.0;
constexpr double about_tool = about_center + mass * ahead * ahead;
constexpr double load[arm7::num_parameters] = {mass, 0.0,        0.0, mass* ahead, about_tool,
                                               0.0,  about_tool, 0.0, 0.0,         about_center};

/// The ridge is a cylinder along x, between the two places. The tool keeps this far from its axis, and above the table.
constexpr double axis_y = 0.0, axis_z = 0.25, clearance = 0.35, table = 0.30;

struct Arm {
  static constexpr int n = arm7::nv, driven = n, rows = 2;
  const double* p = arm7::parameter_defaults;

  void aba(const double* q, const double* v, const double* tau, double* a) const {
    arm7::aba(q, v, tau, p, a);
  }
  void aba_derivatives(const double* q, const double* v, const double* tau, double* by_q, double* by_v,
                       double* by_tau) const {
    arm7::aba_derivatives(q, v, tau, p, by_q, by_v, by_tau);
  }
  void aba_vector_hessian(const double* q, const double* v, const double* tau, const double* w,
                          double* H) const {
    arm7::aba_vector_hessian(q, v, tau, w, p, H);
  }
  void minv_vector_derivative(const double* q, const double* w, double* D) const {
    arm7::minv_vector_derivative(q, w, p, D);
  }

  /// The square of the distance of the tool from the axis of the ridge, and its height.
  void limits(const double* q, double* c) const {
    double x[3], R[9];
    arm7::frame_poses(q, x, R);
    c[0] = (x[1] - axis_y) * (x[1] - axis_y) + (x[2] - axis_z) * (x[2] - axis_z);
    c[1] = x[2];
  }

  void limit_derivatives(const double* q, double* C) const {
    double x[3], R[9];
    Jacobian J;
    arm7::frame_poses(q, x, R);
    arm7::frame_jacobians(q, J.data());
    Eigen::Map<Eigen::Matrix<double, rows, n>> result(C);
    result.row(0) = 2.0 * ((x[1] - axis_y) * J.row(1) + (x[2] - axis_z) * J.row(2));
    result.row(1) = J.row(2);
  }

  /// Column j of the tool's Jacobian is its velocity where joint j alone moves: so are its derivatives.
  void limit_curvature(const double* q, const double* w, double* H) const {
    double x[3], R[9];
    Jacobian J, dJ;
    arm7::frame_poses(q, x, R);
    arm7::frame_jacobians(q, J.data());
    Eigen::Map<Eigen::Matrix<double, n, n>> result(H);
    result += 2.0 * w[0] * J.middleRows<2>(1).transpose() * J.middleRows<2>(1);
    for (int j = 0; j < n; ++j) {
      const Vector alone = Vector::Unit(j);
      arm7::frame_velocity_derivatives(q, alone.data(), dJ.data());
      result.row(j) +=
          2.0 * w[0] * ((x[1] - axis_y) * dJ.row(1) + (x[2] - axis_z) * dJ.row(2)) + w[1] * dJ.row(2);
    }
  }
};

/// Joints that bring the tool to x, pointing down, by damped steps of Gauss and Newton.
Vector above(const Eigen::Vector3d& x) {
  const Eigen::Matrix3d down = Eigen::Vector3d(-1.0, 1.0, -1.0).asDiagonal();
  Vector q;
  q << 0.0, 0.5, 0.0, -1.5, 0.0, 1.14, 0.0;
  for (int step = 0; step < 50; ++step) {
    Eigen::Vector3d now;
    Eigen::Matrix3d R;
    Jacobian J;
    arm7::frame_poses(q.data(), now.data(), R.data());
    arm7::frame_jacobians(q.data(), J.data());
    Eigen::Matrix<double, 6, 1> error;
    error << x - now, Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k) error.tail<3>() += 0.5 * R.col(k).cross(down.col(k));
    const Eigen::Matrix<double, 6, 6> square =
        J * J.transpose() + 1e-6 * Eigen::Matrix<double, 6, 6>::Identity();
    q += J.transpose() * square.ldlt().solve(error);
  }
  return q;
}

using Plan = collocation::Motion<Arm>;

/// From rest to rest.
Plan leg(const Vector& from, const Vector& to, const double* p) {
  Plan plan;
  plan.robot.p = p;
  plan.intervals = 100;
  plan.shortest = 0.1, plan.longest = 5.0, plan.duration = 1.5;
  plan.price_of_time = 1.0;
  for (int j = 0; j < n; ++j) {
    const featherline::JointInfo& joint = arm7::joints[j];
    plan.high[j] = joint.upper, plan.low[j] = joint.lower;
    plan.high[n + j] =
        0.8 * joint.velocity;  // no motor follows exactly: a fifth of its speed is left to correct it
    plan.high[2 * n + j] = joint.effort;
    plan.price[j] = 20.0 / (joint.effort * joint.effort);
  }
  plan.low.tail<2 * n>() = -plan.high.tail<2 * n>();
  plan.first << from, Vector::Zero();
  plan.last << to, Vector::Zero();
  plan.least << clearance * clearance, table;
  plan.most << 1e20, 1e20;
  plan.nodes.resize(Plan::size, plan.intervals + 1);
  for (int k = 0; k <= plan.intervals; ++k) {
    const Vector q = from + (to - from) * k / plan.intervals, zeros = Vector::Zero();
    Vector weight;
    arm7::rnea(q.data(), zeros.data(), zeros.data(), p, weight.data());
    plan.nodes.col(k) << q, (to - from) / plan.duration, weight;
  }
  return plan;
}

struct Simulated {
  double error = 0.0;     ///< [m] of the tool at the end
  double closest = 1e9;   ///< [m] to the axis of the ridge
  bool is_within = true;  ///< the limits of positions and speeds
};

/// The torques of a plan, which are straight between nodes, on a robot with the load p.
Simulated simulate(const Plan& plan, const double* p) {
  constexpr int steps = 20;
  const double dt = plan.duration / plan.intervals / steps;
  Eigen::Matrix<double, n, steps> tau, q_all, v_all;
  Vector q = plan.first.head<n>(), v = plan.first.tail<n>();
  Simulated simulated;
  for (int k = 0; k < plan.intervals; ++k) {
    const Vector begin = plan.nodes.col(k).tail<n>(), end = plan.nodes.col(k + 1).tail<n>();
    for (int s = 0; s < steps; ++s) tau.col(s) = begin + (end - begin) * ((s + 0.5) / steps);
    arm7::rollout(q.data(), v.data(), tau.data(), p, dt, steps, q_all.data(), v_all.data());
    q = q_all.col(steps - 1), v = v_all.col(steps - 1);
    for (int s = 0; s < steps; ++s) {
      double c[Arm::rows];
      plan.robot.limits(q_all.col(s).data(), c);
      simulated.closest = std::min(simulated.closest, std::sqrt(c[0]));
      for (int j = 0; j < n; ++j) {
        const featherline::JointInfo& joint = arm7::joints[j];
        const double position = q_all(j, s), speed = std::abs(v_all(j, s));
        simulated.is_within =
            simulated.is_within && position < joint.upper && position > joint.lower && speed < joint.velocity;
      }
    }
  }
  Eigen::Vector3d reached, wanted;
  double R[9];
  arm7::frame_poses(q.data(), reached.data(), R);
  arm7::frame_poses(plan.last.data(), wanted.data(), R);
  simulated.error = (reached - wanted).norm();
  return simulated;
}

}  // namespace

int main() {
  const Vector home = above({0.45, 0.0, 0.80});
  const Vector here = above({0.5, -0.40, table}), there = above({0.5, 0.40, table});
  const double* empty = arm7::parameter_defaults;
  struct Leg {
    const char* name;
    Plan plan;
  } legs[] = {{"to the load", leg(home, here, empty)},
              {"with it", leg(here, there, load)},
              {"home", leg(there, home, empty)}};
  bool is_right = true;
  for (Leg& l : legs) {
    const collocation::Outcome outcome = collocation::solve(l.plan);
    double largest = 0.0;  // of torques, as a part of the strongest
    for (int j = 0; j < n; ++j)
      largest = std::max(largest, l.plan.nodes.row(2 * n + j).cwiseAbs().maxCoeff() / arm7::joints[j].effort);
    const Simulated found = simulate(l.plan, l.plan.robot.p);
    std::printf("%-11s %.2f s, %d iterations, violation %.0e, torques up to %.0f %%; simulated: ", l.name,
                l.plan.duration, outcome.iterations, outcome.violation, 100.0 * largest);
    std::printf("%.1f mm from the goal, %.1f mm over the ridge, %s limits\n", 1e3 * found.error,
                1e3 * (found.closest - clearance), found.is_within ? "within" : "beyond");
    is_right = is_right && outcome.is_solved && outcome.violation < 1e-6 && largest < 1.0 + 1e-6 &&
               found.error < 8e-3 && found.closest > clearance - 1e-3 && found.is_within;
  }
  const double without = simulate(legs[1].plan, empty).error;
  std::printf("with the torques for the load, but without it: %.0f mm from the goal\n", 1e3 * without);
  return is_right && without > 0.1 ? 0 : 1;
}
