// Single bodies on the ground: a ball that bounces, spins and comes to roll, a block that slides on a slope and rocks,
// and Painleve's rod. Expected numbers are those of textbooks.
#include "stepped.hpp"

#include <ball.hpp>
#include <block.hpp>
#include <rod.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace bodies {

namespace {

using stepped::Simulation;
using Vector3d = Eigen::Vector3d;
constexpr double g = 9.81, radius = 0.1;

Simulation ball_above_plane(double height, double dt, double friction, double restitution) {
  Simulation s(STEPPED_ROBOT(ball), dt, friction, restitution);
  s.q[2] = radius + height;
  s.gap(0) = height;
  return s;
}

void step_ball(Simulation& s) {
  s.gap(0) = s.q[2] - radius;
  s.step();
}

/// The block's lower corners, a half side of 10 cm and a half height of 30 cm away from its centre.
constexpr double half_side = 0.1, half_height = 0.3;
Vector3d corner(const Simulation& s, int k) {
  const Vector3d at(k % 2 == 0 ? half_side : -half_side, k < 2 ? half_side : -half_side, -half_height);
  return s.q.head<3>() + s.turn() * at;
}

void step_block(Simulation& s) {
  for (int k = 0; k < 4; ++k) s.gap(k) = corner(s, k).dot(s.contact.segment<3>(1));
  s.step();
}

/// How far a block slides down a slope in a second.
double slid(double angle, double friction) {
  Simulation s(STEPPED_ROBOT(block), 1e-3, friction, 0.0);
  const Vector3d normal(std::sin(angle), 0.0, std::cos(angle)), down(std::cos(angle), 0.0, -std::sin(angle));
  s.set_normals(normal);
  s.q.head<3>() = half_height * normal;
  s.q.segment<4>(3) << 0.0, std::sin(0.5 * angle), 0.0, std::cos(0.5 * angle);
  const Vector3d start = s.q.head<3>();
  for (int k = 0; k < 1000; ++k) step_block(s);
  CHECK(s.is_solved());
  return down.dot(s.q.head<3>() - start);
}

}  // namespace

// The base's linear velocity is in axes that turn, and held in them during a step: of first order in dt.
TEST_CASE("a ball that slides comes to roll at 5/7 of its speed, after 2 v / (7 mu g)") {
  constexpr double friction = 0.2, speed = 1.0, dt = 1e-4;
  Simulation s = ball_above_plane(0.0, dt, friction, 0.0);
  s.set_linear({speed, 0.0, 0.0});
  int sliding = 0;
  for (int k = 0; k < 2000; ++k) {
    step_ball(s);
    sliding += s.mode(0) == 2.0 ? 1 : 0;
    if (k == 499) CHECK(s.linear().x() == doctest::Approx(speed - friction * g * 0.05).epsilon(1e-4));
  }
  CHECK(s.mode(0) == 1.0);
  CHECK(s.linear().x() == doctest::Approx(5.0 / 7.0 * speed).epsilon(1e-3));
  CHECK(s.angular().y() == doctest::Approx(s.linear().x() / radius).epsilon(1e-3));
  CHECK(sliding * dt == doctest::Approx(2.0 / 7.0 * speed / (friction * g)).epsilon(2e-3));
  CHECK(std::abs(s.q[2] - radius) < 1e-6);
}

TEST_CASE("a ball bounces to the square of its restitution, and energy never grows") {
  constexpr double restitution = 0.8, height = 1.0;
  Simulation s = ball_above_plane(height, 1e-4, 0.5, restitution);
  std::vector<double> tops;
  double energy = s.energy();
  for (int k = 0; k < 20000; ++k) {
    const double before = s.linear().z();
    step_ball(s);
    if (before > 0.0 && s.linear().z() <= 0.0) tops.push_back(s.q[2] - radius);
    CHECK(s.energy() < energy + 0.5 * 3.0 * g * g * 1e-8);  // of the step itself: m (g dt)^2 / 2
    energy = s.energy();
  }
  REQUIRE(tops.size() >= 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(tops[k] ==
          doctest::Approx(height * std::pow(restitution, 2.0 * static_cast<double>(k + 1))).epsilon(2e-3));
}

TEST_CASE("a spinning ball leaves the ground sideways: as a rolling one, or with what friction gives") {
  constexpr double spin = 50.0, fall = 2.0, restitution = 0.5, dt = 1e-6;
  for (const double friction : {1.0, 0.1}) {
    Simulation s = ball_above_plane(1e-7, dt, friction, restitution);
    s.set_linear({0.0, 0.0, -fall});
    s.set_angular({0.0, spin, 0.0});
    step_ball(s);
    const double push = (1.0 + restitution) * fall + g * dt;
    CHECK(std::abs(s.linear().z() - restitution * fall) < 2e-4);
    CHECK(std::abs(s.linear().x() - std::min(2.0 / 7.0 * radius * spin, friction * push)) < 2e-4);
  }
}

TEST_CASE("a block on a slope slides exactly where tan(angle) is above the friction") {
  constexpr double friction = 0.2, time = 1.0, dt = 1e-3;
  CHECK(std::abs(slid(std::atan(friction) - 1e-4, friction)) < 1e-9);
  const double angle = std::atan(friction) + 1e-3, a = g * (std::sin(angle) - friction * std::cos(angle));
  CHECK(slid(angle, friction) == doctest::Approx(0.5 * a * time * (time + dt)).epsilon(1e-6));
}

TEST_CASE("a rocking block keeps the part of its speed at an impact that Housner (1963) derives") {
  const double slenderness = std::atan(half_side / half_height);
  Simulation s(STEPPED_ROBOT(block), 5e-5, 1.0, 0.0);
  const double tilt = 0.15;  // about the edge at +x
  s.q.segment<4>(3) << 0.0, std::sin(0.5 * tilt), 0.0, std::cos(0.5 * tilt);
  s.q.head<3>().setZero();
  s.q.head<3>() -= corner(s, 0);
  s.q[1] = 0.0;
  double fastest = 0.0, energy = s.energy();
  int on_other_edge = 0;  // steps; the first may end above the ground
  for (int k = 0; k < 40000 && on_other_edge < 3; ++k) {
    step_block(s);
    CHECK(s.is_solved());
    CHECK(s.energy() < energy + 1e-6);
    energy = s.energy();
    fastest = std::min(fastest, s.angular().y());
    on_other_edge += s.mode(1) == 1.0 && s.mode(0) == 0.0 ? 1 : 0;
  }
  const double after = s.angular().y();
  CHECK(after / fastest == doctest::Approx(1.0 - 1.5 * std::pow(std::sin(slenderness), 2.0)).epsilon(5e-3));
}

TEST_CASE("Painleve's rod: where a solution need not exist or be the only one, the status says so") {
  std::mt19937 random(3);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  constexpr double friction = 2.0;  // above 4/3 the rod may jam
  int several = 0, one = 0;
  for (int k = 0; k < 3000; ++k) {
    Simulation s(STEPPED_ROBOT(rod), 1e-3, friction, 0.0);
    const double tilt = between(0.1, 1.5);
    s.q.segment<4>(3) << 0.0, std::sin(0.5 * tilt), 0.0, std::cos(0.5 * tilt);
    s.set_linear({between(-3.0, 3.0), 0.0, between(-1.0, 1.0)});
    s.set_angular({0.0, between(-5.0, 5.0), 0.0});
    s.step();
    (s.status[3] == 0.0 ? several : one) += 1;
    const bool is_told = s.status[2] == 0.0 ? s.status[0] <= 1e-8 : s.status[2] == 1.0 || s.status[2] == 2.0;
    CHECK(is_told);
    CHECK(s.v.allFinite());
    CHECK(s.status[1] <= 2000.0);
  }
  CHECK(several > 100);
  CHECK(one > 100);
}

}  // namespace bodies
