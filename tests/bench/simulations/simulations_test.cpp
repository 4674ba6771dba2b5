// The coefficient of multiple correlation and the filter by themselves, and every formulation for a short time.
#include "reference/expected.hpp"
#include "simulations/methods.hpp"
#include "simulations/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace featherline;
using namespace featherline::bench;

namespace {

Waveform sine(double phase) {
  Waveform x;
  for (int t = 0; t < 200; ++t) x.push_back(std::sin(0.1 * t + phase));
  return x;
}

}  // namespace

TEST_CASE("coefficient of multiple correlation: equal, close, opposite") {
  CHECK(multiple_correlation({sine(0.0), sine(0.0)}) == doctest::Approx(1.0));
  const double close = multiple_correlation({sine(0.0), sine(0.1)});
  CHECK(close > 0.99);
  CHECK(close < 0.9999);
  CHECK(multiple_correlation({sine(0.0), sine(M_PI)}) == 0.0);
}

TEST_CASE("the filter keeps constants and slow waves, and stops fast ones") {
  const Waveform constant(50, 3.0);
  CHECK(low_passed(constant, 30.0, 1e-3).back() == doctest::Approx(3.0));
  Waveform fast;
  for (int t = 0; t < 400; ++t) fast.push_back(std::sin(2.0 * M_PI * 300.0 * 1e-3 * t));
  const Waveform rest = low_passed(fast, 30.0, 1e-3);
  for (std::size_t t = 200; t < rest.size(); ++t) CHECK(std::abs(rest[t]) < 0.02);
}

TEST_CASE("differences of a parabola are exact") {
  Waveform x;
  for (int t = 0; t < 10; ++t) x.push_back(0.01 * t * t);
  const Waveform rate = forward_differences(x, 0.1);
  REQUIRE(rate.size() == 8);
  for (std::size_t t = 0; t < rate.size(); ++t)
    CHECK(rate[t] == doctest::Approx(0.2 * static_cast<double>(t)));
}

TEST_CASE("accelerations of every formulation along the simulated motions") {
  for (const SimulatedRobot& robot : simulated_robots(FEATHERLINE_ROBOTS)) {
    CAPTURE(robot.name);
    const std::vector<catalog::State> samples = simulate(robot, 0.03);
    const std::vector<Method> methods = acceleration_methods(robot.tree, robot.row);
    std::set<std::string> names;
    for (const Method& method : methods) names.insert(method.name);
    const bool is_held = robot.row.size() > 0;
    for (const char* name : {"M, C, g: Gauss", "M, C, g: DeNOC"}) CHECK(names.count(name) == 1);
    for (const char* name : {"rnea: link frames", "rnea: dual quaternions", "rnea: DeNOC", "aba: DeNOC"})
      CHECK(names.count(name) == (is_held ? 0 : 1));
    CHECK(names.count("constrained_dynamics: Udwadia-Kalaba") == (is_held ? 1 : 0));
    for (const Method& method : methods) {
      CAPTURE(method.name);
      const catalog::State& x = samples.back();
      CHECK(reference::array_error(method.accelerations(x), x.a).relative <= reference::promised_error);
    }
  }
}
