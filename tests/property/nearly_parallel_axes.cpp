// Arms whose axes are parallel but for a tilt: every function as emitted by default, against the reference solver that
// takes the tree as written.
#include "cli/temporary_folder.hpp"
#include "lowering.hpp"
#include "pipeline.hpp"
#include "reference/outputs.hpp"
#include "support/graph_values.hpp"
#include "support/parallel_arm.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <numbers>

using namespace featherline;

namespace {

constexpr double agreement = 1e-10;
constexpr double float_factor = 10.0;

using Arrays = std::vector<std::vector<double>>;
using Functions = std::map<std::string, expr::Function>;

Robot read_text(const std::string& text, bool floating) {
  const cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "robot.urdf").string();
  std::ofstream(file) << text;
  model::BuildOptions build;
  build.floating_base = floating;
  Diagnostics findings;
  return read_robot(file, build, findings);
}

std::vector<std::string> all_functions() {
  std::vector<std::string> names;
  for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
    if (!algorithm.formulations.empty()) names.push_back(algorithm.name);
  }
  return names;
}

/// As `generate` makes them with no options but the functions'.
Functions emitted_functions(const Robot& robot, const std::vector<std::string>& names) {
  EmitOptions options;
  options.functions = names;
  Functions functions;
  for (emit::FunctionRequest& request :
       lower_functions(tracing_tree(emitted_tree(robot), names), options, {}))
    functions.emplace(request.algorithm->name, std::move(request.program.function));
  return functions;
}

Arrays inputs_of(const expr::Function& function, const reference::State& x) {
  const std::map<std::string, const Eigen::VectorXd*> values{{"q", &x.q},     {"v", &x.v}, {"a", &x.a},
                                                             {"tau", &x.tau}, {"b", &x.b}, {"w", &x.w}};
  Arrays inputs;
  for (const expr::Parameter& input : function.inputs) {
    const Eigen::VectorXd& value = *values.at(input.name);
    inputs.emplace_back(value.begin(), value.end());
  }
  return inputs;
}

template <class T>
reference::Outputs outputs_in(const expr::Function& function, const reference::State& x) {
  reference::Outputs outputs;
  std::size_t k = 0;
  for (const std::vector<T>& values : test::graph_values<T>(function, inputs_of(function, x)))
    outputs.push_back({function.outputs[k++].name, {values.begin(), values.end()}});
  return outputs;
}

/// The largest error of each function over a few states.
template <class T>
std::map<std::string, double> errors_in(const Functions& functions, const model::Tree& tree, int states) {
  std::map<std::string, double> errors;
  std::mt19937 random(1);
  for (int k = 0; k < states; ++k) {
    const reference::State x = reference::random_state(tree, random);
    for (const auto& [name, function] : functions) {
      const reference::OutputFunction& judge = *reference::find_outputs(name);
      const double error = reference::compare(judge.compared(x, outputs_in<T>(function, x)),
                                              judge.compared(x, judge.compute(tree, x)))
                               .relative;
      errors[name] = std::max(errors[name], error);
    }
  }
  return errors;
}

/// Half turns as files have them and tilts from 1e-1 to 1e-12, in turn.
test::ParallelArm rounded_arm(std::uint64_t seed) {
  test::ParallelArm arm;
  arm.seed = seed;
  arm.prismatic = seed % 3 == 2 ? 0.3 : 0.0;
  constexpr std::size_t tilts = 12;
  const std::size_t kind = seed % (test::rounded_half_turns.size() + tilts);
  if (kind < tilts) {
    arm.tilt = std::pow(10.0, -1.0 - static_cast<double>(kind));
  } else {
    arm.half_turn = test::rounded_half_turns[kind - tilts];
  }
  return arm;
}


Robot read_arm(const test::ParallelArm& arm, bool floating) {
  return read_text(test::to_urdf(test::parallel_arm(arm)), floating);
}

}  // namespace

TEST_CASE("every function agrees with the reference") {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    test::ParallelArm arm = rounded_arm(seed);
    const bool floating = seed % 36 >= 18;
    arm.joints = floating ? 3 + static_cast<int>(seed % 2) : 3 + static_cast<int>(seed % 3);
    const Robot robot = read_arm(arm, floating);
    const Functions functions = emitted_functions(robot, all_functions());
    REQUIRE(functions.size() >= 16);
    CAPTURE(seed);
    CAPTURE(arm.tilt);
    CAPTURE(arm.half_turn);
    for (const auto& [name, error] : errors_in<double>(functions, robot.tree, 1)) {
      CAPTURE(name);
      CHECK(error <= agreement);
    }
  }
}
