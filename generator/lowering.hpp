#pragma once

#include "emit/emit.hpp"
#include "ir/function.hpp"
#include "pipeline.hpp"

#include <string>
#include <vector>

/// The part of the pipeline that runs once per function: trace every formulation, simplify, keep the cheapest,
/// schedule.
namespace featherline {

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  ir::Function (*run)(const ir::Function&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other.
ir::Function simplify(ir::Function function, const Observer& observer = {});

/// The forms of a function that `options` ask for, ready to emit: dense, packed. Empty: none is asked for.
std::vector<emit::FunctionRequest> lower_function(const catalog::FunctionSpec& algorithm,
                                                  const model::CanonicalTree& tree, const EmitOptions& options,
                                                  const Observer& observer);

/// By body: one step outwards of the kinematics, which walk the tree instead of being traced as a whole.
std::vector<ir::Program> lower_pose_steps(const model::CanonicalTree& tree, const EmitOptions& options,
                                          const Observer& observer);

/// What code and stack are estimated for.
cost::Target target_of(const EmitOptions& options);

/// "graph", the passes by name, "program".
std::vector<std::string> lowering_stage_names();

}  // namespace featherline
