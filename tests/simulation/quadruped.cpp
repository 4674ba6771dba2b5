// A quadruped is dropped on stairs, and walks. FEATHERLINE_WALK_SECONDS=600 walks and stands for ten minutes.
#include "stepped.hpp"

#include <featherline/contact_creep.hpp>
#include <trotting_quadruped.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace quadruped {

namespace {

namespace robot = trotting_quadruped;
using Eigen::VectorXd;
using stepped::Simulation;
using Leg = Eigen::Vector3d;  // roll, pitch, knee
constexpr int feet = 4, base_q = 7, base_v = 6;
constexpr double thigh = 0.209, shank = 0.175;

/// Springs and dampers at the joints, within the limits of the motors.
class Legs {
 public:
  explicit Legs(double stiffness, double damping) : kp_(stiffness), kd_(damping) {}

  void drive(Simulation& s, const std::array<Leg, feet>& wanted, const std::array<Leg, feet>& speed) const {
    for (int leg = 0; leg < feet; ++leg) {
      for (int k = 0; k < 3; ++k) {
        const int joint = 3 * leg + k;
        const double tau = kp_ * (wanted[std::size_t(leg)][k] - s.q[base_q + joint]) +
                           kd_ * (speed[std::size_t(leg)][k] - s.v[base_v + joint]);
        const double most = robot::joints[1 + joint].effort;
        s.tau[base_v + joint] = std::clamp(tau, -most, most);
      }
    }
  }

 private:
  double kp_, kd_;
};

/// The joints that put a foot at (x, -height) under its hip.
Leg leg_to(double x, double height) {
  const double bend = (x * x + height * height - thigh * thigh - shank * shank) / (2.0 * thigh * shank),
               knee = -std::acos(bend);
  return {0.0, std::atan2(-x, height) - std::atan2(shank * std::sin(knee), thigh + shank * std::cos(knee)),
          knee};
}

using Ground = std::function<double(double)>;  // heights along x

using Points = Eigen::Matrix<double, 3, feet>;
struct Feet {
  Points p;
  Eigen::Matrix<double, 3 * feet, robot::nv> J;

  explicit Feet(const Simulation& s) { robot::frame_kinematics(s.q.data(), p.data(), J.data()); }
};

/// A step on a ground of heights; the feet after it.
Points step(Simulation& s, const Ground& ground, bool may_creep = true) {
  const Points before = Feet(s).p;
  for (int k = 0; k < feet; ++k) s.gap(k) = before(2, k) - ground(before(0, k));
  s.step();
  const Feet after(s);
  if (may_creep) return after.p;
  const Points way = after.p - before;
  const VectorXd q = s.q;
  VectorXd dq(robot::nv);
  featherline::take_back_creep<feet, robot::nv>(after.J.data(), way.data(), s.contact.data(), s.status.data(),
                                                dq.data());
  robot::integrate(q.data(), dq.data(), s.q.data());
  return Feet(s).p;
}

double flat(double) { return 0.0; }

/// A trot: feet of a diagonal stand half of the time, and swing in the other half. It turns back to its course.
class Trot {
 public:
  explicit Trot(double begin) : begin_(begin) {}

  std::array<Leg, feet> legs(double t, double yaw) const {
    constexpr double height = 0.28, lift = 0.04, stride = 0.06, steps_a_second = 2.5;
    std::array<Leg, feet> all;
    for (int k = 0; k < feet; ++k) {
      const double ramp = std::clamp(t - begin_, 0.0, 1.0), side = k % 2 == 0 ? -1.0 : 1.0,
                   own = ramp * (stride - 0.15 * side * std::clamp(yaw, -0.4, 0.4)),
                   cycles = std::max(0.0, t - begin_) * steps_a_second + (k == 0 || k == 3 ? 0.0 : 0.5),
                   phase = 2.0 * (cycles - std::floor(cycles));
      const double u = phase - 1.0, turn = 2.0 * M_PI * u;
      const bool stands = phase < 1.0;
      all[std::size_t(k)] = leg_to(own * (stands ? 0.5 - phase : u - std::sin(turn) / (2.0 * M_PI) - 0.5),
                                   height - (stands ? 0.0 : 0.5 * lift * ramp * (1.0 - std::cos(turn))));
    }
    return all;
  }

 private:
  double begin_;
};

/// How far feet were under the ground at most, and how far one crept while it stood: in a stance of the trot, and where
/// the robot stands.
struct Traces {
  double sunk = 0.0, crept = 0.0, crept_standing = 0.0;
  int unsolved = 0;
  Eigen::Matrix<double, 2, feet> anchor;
  std::array<bool, feet> stands{};

  void add(const Simulation& s, const Eigen::Matrix<double, 3, feet>& p, bool is_standing) {
    unsolved += s.is_solved() ? 0 : 1;
    sunk = std::max(sunk, -p.row(2).minCoeff());
    for (int k = 0; k < feet; ++k) {
      const bool sticks = s.mode(k) == 1.0;
      if (sticks && !stands[std::size_t(k)]) anchor.col(k) = p.col(k).head<2>();
      stands[std::size_t(k)] = sticks;
      double& most = is_standing ? crept_standing : crept;
      if (sticks) most = std::max(most, (p.col(k).head<2>() - anchor.col(k)).norm());
    }
  }
};

/// The quadruped stands for half of the time, then it trots. How far its base came is s.q[0].
Traces walk(Simulation& s, double seconds, bool may_creep) {
  const double standing = 0.5 * seconds;
  const Trot trot(standing);
  const Legs legs(120.0, 0.8);
  const std::array<Leg, feet> start = trot.legs(0.0, 0.0);
  for (int leg = 0; leg < feet; ++leg) s.q.segment<3>(base_q + 3 * leg) = start[std::size_t(leg)];
  s.q[2] = 0.28;
  Traces traces;
  std::array<Leg, feet> before = start;
  for (long k = 0, steps = std::lround(seconds / s.dt); k < steps; ++k) {
    const double t = static_cast<double>(k) * s.dt;
    const std::array<Leg, feet> wanted = trot.legs(t, 2.0 * std::atan2(s.q[5], s.q[6]));
    std::array<Leg, feet> speed;
    for (std::size_t leg = 0; leg < feet; ++leg) speed[leg] = (wanted[leg] - before[leg]) / s.dt;
    before = wanted;
    legs.drive(s, wanted, speed);
    const auto p = step(s, flat, may_creep);
    traces.add(s, p, t < standing);
  }
  return traces;
}

}  // namespace

TEST_CASE("a quadruped that is dropped on stairs stands on them") {
  Simulation s(STEPPED_ROBOT(robot), 5e-4, 0.8, 0.0);
  const Leg bent(0.0, 0.8, -1.6);
  for (int leg = 0; leg < feet; ++leg) s.q.segment<3>(base_q + 3 * leg) = bent;
  s.q[0] = 0.1;
  s.q[2] = 0.45;
  const auto stairs = [](double x) { return 0.05 * std::floor(x / 0.4); };
  const Legs legs(100.0, 1.5);
  double sunk = 0.0;
  for (int k = 0; k < 4000; ++k) {
    legs.drive(s, {bent, bent, bent, bent}, {Leg::Zero(), Leg::Zero(), Leg::Zero(), Leg::Zero()});
    const auto p = step(s, stairs);
    CHECK(s.is_solved());
    for (int foot = 0; foot < feet; ++foot) sunk = std::max(sunk, stairs(p(0, foot)) - p(2, foot));
  }
  CHECK(sunk < 1e-6);
  CHECK(s.v.lpNorm<Eigen::Infinity>() < 0.1);
  for (int foot = 0; foot < feet; ++foot) CHECK(s.mode(foot) == 1.0);
}

TEST_CASE("a quadruped stands, then walks: feet neither sink nor creep") {
  const char* asked = std::getenv("FEATHERLINE_WALK_SECONDS");
  const double seconds = asked != nullptr ? std::atof(asked) : 6.0;
  for (const bool may_creep : {true, false}) {
    CAPTURE(may_creep);
    Simulation s(STEPPED_ROBOT(robot), 2.5e-4, 0.8, 0.0);
    const Traces traces = walk(s, seconds, may_creep);
    MESSAGE("in ", seconds, " s: sunk ", traces.sunk, " m, crept ", traces.crept_standing,
            " m where it stands and ", traces.crept, " m in a stance of the trot; came ", s.q[0], " m far");
    CHECK(traces.unsolved == 0);
    CHECK(traces.sunk < 1e-6);
    CHECK(traces.crept_standing < (may_creep ? 1e-6 : 1e-9));
    CHECK(traces.crept < (may_creep ? 1e-5 : 1e-9));  // what the step leaves is of second order in dt
    CHECK(s.q[0] > 0.1 * (0.5 * seconds - 1.0));
    CHECK(std::abs(s.q[2] - 0.28) < 0.02);
  }
}

}  // namespace quadruped
