// Steps with contacts from random states: robots in any pose, at any speed, on any slopes.
// FEATHERLINE_CONTACT_STATES=1000000 runs a million of each robot, of which runtime/guide/steps.md has the figures.
// That impulses that are called solved meet the conditions is what verification and property_steps test.
#include "stepped.hpp"

#include <doctest/doctest.h>
#include <ball.hpp>
#include <block.hpp>
#include <touching_arm6.hpp>
#include <touching_arm7.hpp>
#include <touching_double_pendulum.hpp>
#include <touching_holonomic_mobile_manipulator.hpp>
#include <touching_humanoid.hpp>
#include <touching_mobile_manipulator.hpp>
#include <touching_planar3.hpp>
#include <touching_stanford_arm.hpp>
#include <trotting_quadruped.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace random_states {

using Eigen::VectorXd;
using stepped::Robot;
using stepped::Simulation;

namespace {

class States {
 public:
  void put(Simulation& s) {
    for (double& x : s.q) x = uniform(-2.0, 2.0);
    if (s.robot.nq > s.robot.nv) s.q.segment<4>(3).normalize();  // the base floats
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
  double grown = -1.0;  ///< energy beyond that without impulses, relative
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
  struct Named {
    const char* name;
    Robot robot;
  };
  for (const auto& [name, robot] :
       {Named{"ball", STEPPED_ROBOT(ball)}, Named{"block", STEPPED_ROBOT(block)},
        Named{"double_pendulum", STEPPED_ROBOT(touching_double_pendulum)},
        Named{"planar3", STEPPED_ROBOT(touching_planar3)},
        Named{"stanford_arm", STEPPED_ROBOT(touching_stanford_arm)},
        Named{"arm6", STEPPED_ROBOT(touching_arm6)}, Named{"arm7", STEPPED_ROBOT(touching_arm7)},
        Named{"holonomic_mobile_manipulator", STEPPED_ROBOT(touching_holonomic_mobile_manipulator)},
        Named{"mobile_manipulator", STEPPED_ROBOT(touching_mobile_manipulator)},
        Named{"quadruped", STEPPED_ROBOT(trotting_quadruped)},
        Named{"humanoid", STEPPED_ROBOT(touching_humanoid)}}) {
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
