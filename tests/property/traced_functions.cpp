// Every formulation of every algorithm on random robots, followed through the passes and the schedule by the
// interpreter, against the reference solver.
#include "algorithms/base_parameters.hpp"
#include "algorithms/first_derivatives.hpp"
#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/regressor.hpp"
#include "algorithms/second_derivatives.hpp"
#include "algorithms/tangent_steps.hpp"
#include "algorithms/vector_hessian.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "selection/lower.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "verify/probes.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using test::agreement;
using test::follow;

namespace {

/// A random robot: as the user has it, and as the algorithms see it.
struct Robots {
  model::UserTree user;
  model::CanonicalTree traced;
};

/// All joint types in turn, fixed and floating bases, with and without coupled mimic joints.
Robots make_robots(std::uint64_t seed) {
  test::RobotOptions robot;
  robot.joints = 3 + static_cast<int>(seed % 7);
  robot.mimic = seed % 3 == 2 ? 0.4 : 0.0;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  build.gravity = seed % 5 == 4 ? model::Vector3(1.0, -2.0, 3.0) : build.gravity;
  Robots robots;
  robots.user = test::random_tree(seed, robot, build);
  robots.user.base_parameters = algorithms::find_base_parameters(robots.user);
  robots.user.frames = test::random_frames(robots.user, seed);
  robots.traced = in_chosen_frames(robots.user, true);
  return robots;
}

}  // namespace

TEST_CASE("every formulation agrees with the reference solver after every stage") {
  int followed = 0;
  for (std::uint64_t seed = 0; seed < 14; ++seed) {
    CAPTURE(seed);
    const Robots robots = make_robots(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(robots.user, random);
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      CAPTURE(algorithm.name);
      const reference::OutputFunction* judge = reference::find_outputs(algorithm.name);
      REQUIRE(judge != nullptr);
      const reference::Outputs expected = judge->compared(x, judge->compute(robots.user, x));
      for (const catalog::Formulation& formulation : algorithm.formulations) {
        CAPTURE(formulation.name);
        if (formulation.applies && !formulation.applies(robots.traced)) continue;
        if (formulation.in_loops || algorithm.takes_link) continue;  // calls: verification_notices runs them
        follow(catalog::trace(algorithm, formulation, robots.traced), *judge, x, expected);
        ++followed;
      }
    }
  }
  CHECK(followed > 100);
}

TEST_CASE("algorithms run on numbers agree with the reference solver, too") {
  using Numbers = algorithms::Context<double>;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const Robots robots = make_robots(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(robots.user, random);
    const algorithms::OwnFrames frames = algorithms::body_frames(robots.traced);
    const std::vector<std::pair<std::string, std::function<void(Numbers&)>>> runs{
        {"rnea", algorithms::rnea<double>},
        {"bias", algorithms::bias<double>},
        {"gravity", algorithms::gravity<double>},
        {"mass_matrix", algorithms::mass_matrix<double>},
        {"regressor", algorithms::regressor<double>},
        {"integrate", algorithms::integrate<double>},
        {"difference", algorithms::difference<double>},
        {"integrate_derivatives", algorithms::integrate_derivatives<double>},
        {"rnea_derivatives", [&](Numbers& c) { algorithms::rnea_derivatives(c, frames); }},
        {"rnea_second_derivatives", [&](Numbers& c) { algorithms::rnea_second_derivatives(c, frames); }},
        {"rnea_vector_hessian", [&](Numbers& c) { algorithms::rnea_vector_hessian(c, frames); }}};
    for (const auto& [name, run] : runs) {
      CAPTURE(name);
      Numbers context(robots.traced);
      for (const catalog::Argument& input : catalog::find(name)->inputs) {
        const Eigen::VectorXd& values = x.*input.in_state;
        context.set_input(input.name, {values.begin(), values.end()});
      }
      run(context);
      reference::Outputs found;
      for (const auto& [output, values] : context.outputs()) found.push_back({output, values});
      const reference::OutputFunction& judge = *reference::find_outputs(name);
      CHECK(reference::compare(judge.compared(x, found), judge.compared(x, judge.compute(robots.user, x)))
                .relative <= agreement);
    }
  }
}

TEST_CASE("passes never add flops") {
  const Robots robots = make_robots(6);
  for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
    for (const catalog::Formulation& formulation : algorithm.formulations) {
      if (formulation.in_loops || algorithm.takes_link ||
          (formulation.applies && !formulation.applies(robots.traced)))
        continue;
      CAPTURE(algorithm.name);
      ir::Kernel function = catalog::trace(algorithm, formulation, robots.traced);
      int flops = ir::count_cost(function).flops;
      for (const passes::Pass& pass : passes::simplifying_passes()) {
        CAPTURE(pass.name);
        function = pass.run(function);
        const int after = ir::count_cost(function).flops;
        CHECK(after <= flops);
        flops = after;
      }
    }
  }
}
