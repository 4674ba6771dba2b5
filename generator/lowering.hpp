#pragma once

#include "emit/emit.hpp"
#include "expr/function.hpp"
#include "pipeline.hpp"
#include "snapping.hpp"

#include <string>
#include <vector>

/// The part of the pipeline that runs once per function: trace every formulation, simplify, keep the cheapest,
/// schedule.
namespace featherline {

/// Graph in, graph out, same meaning.
struct Pass {
  const char* name;
  expr::Function (*run)(const expr::Function&);
};

/// The simplifying passes in the order they run.
const std::vector<Pass>& simplifying_passes();

/// All of them, one after the other.
expr::Function simplify(expr::Function function, const Observer& observer = {});

/// One request per function of `options`, ready to emit.
std::vector<emit::FunctionRequest> lower_functions(const TracingTrees& trees, const EmitOptions& options,
                                                   const Observer& observer);

/// Whether one of the functions is assembled from pose steps instead of traced as a whole.
bool needs_pose_steps(const std::vector<emit::FunctionRequest>& functions);

/// By body: one step outwards of the kinematics.
std::vector<passes::Program> lower_pose_steps(const model::Tree& tree, const Observer& observer);

/// What code and stack are estimated for.
passes::Target target_of(const EmitOptions& options);

/// "graph", the passes by name, "program".
std::vector<std::string> lowering_stage_names();

}  // namespace featherline
