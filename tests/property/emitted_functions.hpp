#pragma once

#include "cli/output_files.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "support/as_emitted.hpp"
#include "support/graph_values.hpp"
#include "verify/verify.hpp"

#include <algorithm>
#include <fstream>
#include <map>

/// The functions `generate` makes with default options, run in double or float and compared with the reference solver.
namespace featherline::test {

using Arrays = std::vector<std::vector<double>>;
using Functions = std::map<std::string, ir::Kernel>;

inline std::vector<std::string> all_functions() {
  std::vector<std::string> names;
  for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
    if (!algorithm.takes_link) names.push_back(algorithm.name);
  }
  return names;
}

inline Robot read_text(const std::string& text, bool floating) {
  const cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "robot.urdf").string();
  std::ofstream(file) << text;
  Options options = only(all_functions());
  options.build.floating_base = floating;
  Diagnostics findings;
  return read_robot(file, options, findings);
}

/// Those whose graphs stay small for arms of seven joints.
inline std::vector<std::string> first_order() {
  std::vector<std::string> names;
  for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
    if (!algorithm.takes_link && algorithm.group.order < 2) names.push_back(algorithm.name);
  }
  return names;
}

/// As `generate` makes them at the first attempt, with no options but the functions'.
inline Functions emitted_functions(const Robot& robot, const std::vector<std::string>& names) {
  Options options = only(names);
  options.verify = false;              // the first attempt must be right
  options.optimise_for = Goal::flops;  // straight-line code: graph_values() runs neither lanes nor calls
  Functions functions;
  for (LoweredFunction& request : lower_as_emitted(robot, options))
    functions.emplace(request.spec->name, std::move(request.kernel));
  return functions;
}

template <class T>
reference::Outputs outputs_in(const ir::Kernel& function, const reference::State& x) {
  reference::Outputs outputs;
  std::size_t k = 0;
  for (const std::vector<T>& values : test::graph_values<T>(function, verify::inputs_of(function, x)))
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

}  // namespace featherline::test
