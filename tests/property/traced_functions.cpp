// Every formulation of every algorithm on random robots, followed through the passes and the schedule by the
// interpreter, against the reference solver.
#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <set>
#include <utility>

namespace property::traced_functions {

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
  Diagnostics findings;
  if (seed % 3 == 0) model::set_joint_dynamics(robots.user, "* 0.3 0.5 0.02 4 0.7", "drives.txt", findings);
  if (seed % 3 == 1) test::add_pose_springs(robots.user, seed);
  if (seed % 4 < 2) robots.user.integrator = model::Integrator::rk4;
  robots.user.base_parameters = algorithms::find_base_parameters(robots.user);
  robots.user.frames = test::random_frames(robots.user, seed);
  robots.traced = in_chosen_frames(robots.user, true);
  return robots;
}

/// Tensors have the cube of them as entries: those of the largest robots take most of the time.
constexpr int most_coordinates_of_second_order = 14;

}  // namespace

TEST_CASE("every formulation agrees with the reference solver after every stage") {
  int followed = 0;
  std::set<std::pair<model::JointType, int>> seen;  // with the order of derivatives
  for (std::uint64_t seed = 0; seed < 14; ++seed) {
    CAPTURE(seed);
    const Robots robots = make_robots(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(robots.user, random);
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (algorithm.group.order == 2 && robots.user.nv > most_coordinates_of_second_order) continue;
      CAPTURE(algorithm.name);
      const reference::OutputFunction* judge = reference::find_outputs(algorithm.name);
      REQUIRE(judge != nullptr);
      const reference::Outputs expected = judge->compared(x, judge->compute(robots.user, x));
      for (const catalog::Formulation& formulation : algorithm.formulations) {
        CAPTURE(formulation.name);
        if (!formulation.applies(robots.traced)) continue;
        if (formulation.in_loops() || algorithm.takes_link)
          continue;  // calls: verification_notices runs them
        follow(catalog::trace(algorithm, formulation, robots.traced), *judge, x, expected);
        for (const model::Body& body : robots.user.bodies)
          seen.emplace(body.joint.type, algorithm.group.order);
        ++followed;
      }
    }
  }
  CHECK(followed > 100);
  for (const model::JointRow& row : model::joint_table()) {
    CAPTURE(model::name(row.type));
    for (const int order : {0, 1, 2}) CHECK((row.nv() == 0 || seen.contains({row.type, order})));
  }
}

// The first pass makes the kernel independent of the compiler of the generator: with clang it has had two flops more
// behind it than before.
TEST_CASE("passes behind the first never add flops") {
  const Robots robots = make_robots(6);
  for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
    for (const catalog::Formulation& formulation : algorithm.formulations) {
      if (formulation.in_loops() || algorithm.takes_link || !formulation.applies(robots.traced)) continue;
      CAPTURE(algorithm.name);
      ir::Kernel function = catalog::trace(algorithm, formulation, robots.traced);
      int flops = INT_MAX;
      for (const passes::Pass& pass : passes::simplifying_passes()) {
        CAPTURE(std::string(pass.name));
        function = pass.run(function);
        const int after = ir::count_cost(function).flops;
        CHECK(after <= flops);
        flops = after;
      }
    }
  }
}

}  // namespace property::traced_functions
