// Functions about constraints on robots with equal limbs, in every formulation, as they are printed: side by side in
// lanes, column by column, and what is computed instead where a limb is stretched.
#include "constrained_robots.hpp"
#include "support/as_emitted.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

using namespace featherline;

namespace {

/// Two to four limbs with three joints or more, on the world, on a fixed and on a floating base.
Robot limbed_robot(std::uint64_t seed) {
  test::LimbOptions options;
  options.limbs = 2 + static_cast<int>(seed % 3);
  options.limb.joints = options.limbs == 4 ? 2 : 3;
  options.trunk.joints = static_cast<int>(seed / 2 % 2);
  options.mirrored = seed % 4 == 1;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  Robot robot;
  robot.description = test::random_limbs(seed + 500, options);
  robot.tree = test::tree_of(robot.description, build);
  robot.tree.constraints = test::random_constraints(robot.tree, seed, 1 + static_cast<int>(seed % 2));
  robot.tree.constraints.kp = seed % 3 == 0 ? 0.0 : 30.0;
  robot.tree.constraints.kd = seed % 3 == 0 ? 0.0 : 10.0;
  return robot;
}

}  // namespace

TEST_CASE("every formulation agrees with the judge on robots with equal limbs") {
  std::map<std::string, int> judged;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    const Robot robot = limbed_robot(seed);
    if (robot.tree.constraints.all.empty()) continue;
    for (const catalog::FunctionSpec* function : test::constraint_functions()) {
      for (const catalog::Formulation& formulation : function->formulations) {
        if (formulation.applies && !formulation.applies(robot.tree)) continue;
        const std::string name = function->name + " by " + formulation.name;
        CAPTURE(name);
        Options options = test::only({function->name});
        options.formulations[function->name] = formulation.name;
        options.verify = false;  // the first attempt must be right
        for (const emit::FunctionRequest& request : test::lower_as_emitted(robot, options))
          CHECK(verify::worst_error(request, robot.tree).relative <= verify::largest_error);
        ++judged[name];
      }
    }
  }
  for (const catalog::FunctionSpec* function : test::constraint_functions()) {
    for (const catalog::Formulation& formulation : function->formulations) {
      const std::string name = function->name + " by " + formulation.name;
      CAPTURE(name);
      CHECK(judged[name] >= 5);
    }
  }
}
