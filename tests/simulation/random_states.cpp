// Steps with contacts from random states: the robot in any pose, any speed, on any slopes. FEATHERLINE_CONTACT_STATES=1000000
// runs a million of each robot.
#include "stepped.hpp"

#include <doctest/doctest.h>
#include <ball.hpp>
#include <block.hpp>
#include <trotting_quadruped.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

namespace random_states {

using Eigen::VectorXd;
using stepped::Robot;
using stepped::Simulation;

namespace {

class States {
 public:
  void put(Simulation& s) {
    for (double& x : s.q) x = uniform(-2.0, 2.0);
    s.q.segment<4>(3).normalize();
    const double speed = std::pow(10.0, uniform(-3.0, 1.0));
    for (double& x : s.v) x = uniform(-speed, speed);
    for (double& x : s.tau) x = uniform(-20.0, 20.0);
    for (int k = 0; k < s.robot.num_points; ++k) {
      const bool touches = uniform(0.0, 1.0) < 0.8;
      s.contact.segment<6>(6 * k) << (touches ? 0.0 : uniform(0.0, 0.01)), uniform(-0.5, 0.5),
          uniform(-0.5, 0.5), 1.0, uniform(0.0, 1.2), 0.0;
    }
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  std::mt19937 random_{11};
};

double kinetic_energy(const Simulation& s, const VectorXd& q) {
  double T = 0.0;
  s.robot.kinetic_energy(q.data(), s.v.data(), &T);
  return T;
}

struct Counts {
  long solved = 0, told = 0, not_numbers = 0;
  double grown = 0.0;  ///< energy beyond that without impulses, relative
};

Counts run(const Robot& robot, long states) {
  Counts counts;
  States random;
  for (long k = 0; k < states; ++k) {
    Simulation s(robot, 1e-3, 0.0, 0.0);
    random.put(s);
    const VectorXd q = s.q;
    Simulation free = s;
    for (int point = 0; point < robot.num_points; ++point) free.gap(point) = 1e6;
    free.step();
    s.step();
    const bool is_solved = s.is_solved();
    counts.solved += is_solved ? 1 : 0;
    counts.told += !is_solved && s.status[0] > 1e-8 ? 1 : 0;
    counts.not_numbers += s.q.allFinite() && s.v.allFinite() && s.impulse.allFinite() ? 0 : 1;
    const double without = kinetic_energy(free, q);
    if (is_solved) counts.grown = std::max(counts.grown, kinetic_energy(s, q) / without - 1.0);
  }
  return counts;
}

}  // namespace

TEST_CASE("steps from random states are numbers, take energy, and are solved or say that they are not") {
  const char* asked = std::getenv("FEATHERLINE_CONTACT_STATES");
  const long states = asked != nullptr ? std::atol(asked) : 2000;
  for (const auto& [name, robot] : {std::pair("ball", STEPPED_ROBOT(ball)),
                                    {"block", STEPPED_ROBOT(block)},
                                    {"quadruped", STEPPED_ROBOT(trotting_quadruped)}}) {
    const std::string of = name;
    CAPTURE(of);
    const Counts counts = run(robot, states);
    MESSAGE(of, ": ", counts.solved, " of ", states, " solved, energy grew by ", counts.grown);
    CHECK(counts.solved + counts.told == states);
    CHECK(counts.not_numbers == 0);
    CHECK(counts.grown < 1e-12);
    CHECK(static_cast<double>(counts.solved) >= 0.99 * static_cast<double>(states));
  }
}

}  // namespace random_states
