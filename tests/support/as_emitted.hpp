#pragma once

#include "pipeline.hpp"

#include <string>
#include <utility>
#include <vector>

namespace featherline::test {

/// The default options, but for the functions.
inline Options only(std::vector<std::string> functions) {
  Options options;
  options.functions = std::move(functions);
  return options;
}

/// The programs that emit_robot() prints: traced, chosen, simplified, scheduled and judged as it does.
inline std::vector<LoweredFunction> lower_as_emitted(const Robot& robot, const Options& options) {
  Diagnostics discarded_findings;
  return lower_robot(robot, make_plan(robot, options, discarded_findings), options).functions;
}

}  // namespace featherline::test
