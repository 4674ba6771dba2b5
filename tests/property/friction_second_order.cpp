// The second derivative of the smoothed joint friction (--joint-dynamics) in unrolled functions, against the reference.
// At the speeds of other tests it is 1e-10 of the tensors and nothing would see it; here joints move slowly.
#include "catalog/functions.hpp"
#include "ir/interpreter.hpp"
#include "model/build_tree.hpp"
#include "passes/simplify.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace property::friction_second_order {

using namespace featherline;

namespace {

constexpr double agreement = 1e-10;

using Arrays = std::vector<std::vector<double>>;

const std::vector<std::string> functions{"rnea_second_derivatives", "aba_second_derivatives",
                                         "rnea_vector_hessian", "aba_vector_hessian"};

model::UserTree robot(std::uint64_t seed, const std::string& joint_dynamics) {
  test::RobotOptions options;
  options.joints = 4;
  options.mimic = seed % 2 == 1 ? 0.4 : 0.0;
  model::BuildOptions build;
  build.floating_base = seed % 3 == 1;
  model::UserTree tree = test::random_tree(seed, options, build);
  Diagnostics findings;
  model::set_joint_dynamics(tree, joint_dynamics, "drives.txt", findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

reference::Outputs run(const ir::Kernel& function, const reference::State& x) {
  const Arrays arrays = ir::evaluate(function, verify::inputs_of(function, x));
  reference::Outputs outputs;
  for (std::size_t k = 0; k < arrays.size(); ++k) outputs.push_back({function.outputs[k].name, arrays[k]});
  return outputs;
}

}  // namespace

TEST_CASE("second derivatives hold the friction term") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = robot(seed, "* 0.3 0.5 0.02"), smooth = robot(seed, "* 0.3 0.0 0.02");
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    reference::State x = reference::random_state(tree, random);
    x.v *= model::friction_smoothing / 10.0;  // at most the speed where friction is smoothed
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (std::find(functions.begin(), functions.end(), algorithm.name) == functions.end()) continue;
      CAPTURE(algorithm.name);
      const reference::OutputFunction& judge = *reference::find_outputs(algorithm.name);
      const reference::Outputs expected = judge.compute(tree, x);
      // The term is large here: a robot without friction is another one.
      CHECK(reference::compare(judge.compute(smooth, x), expected).relative > 1e-3);
      for (const catalog::Formulation& formulation : algorithm.formulations) {
        if (formulation.in_loops()) continue;
        CAPTURE(formulation.name);
        const ir::Kernel function = passes::simplify(catalog::trace(algorithm, formulation, traced));
        CHECK(reference::compare(run(function, x), expected).relative <= agreement);
      }
    }
  }
}

}  // namespace property::friction_second_order
