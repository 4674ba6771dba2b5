#pragma once

#include "lowering.hpp"
#include "pipeline.hpp"

#include <optional>
#include <vector>

namespace featherline::test {

/// The programs that emit_robot() prints: traced, chosen, simplified and scheduled as it does.
inline std::vector<emit::FunctionRequest> lower_as_emitted(const Robot& robot, const EmitOptions& options) {
  TracingTrees trees{tracing_tree(robot.tree, options.functions), std::nullopt};
  if (robot.snapped) trees.snapped = tracing_tree(*robot.snapped, options.functions);
  return lower_functions(trees, options, {});
}

}  // namespace featherline::test
