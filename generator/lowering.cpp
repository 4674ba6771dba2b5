#include "lowering.hpp"

#include "algorithms/kinematics.hpp"
#include "catalog/functions.hpp"
#include "cost/estimate.hpp"
#include "dump.hpp"
#include "ir/dump.hpp"
#include "passes/pack.hpp"
#include "passes/passes.hpp"
#include "size_policy.hpp"

#include <algorithm>
#include <climits>
#include <optional>

namespace featherline {
namespace {

using catalog::Formulation;
using catalog::FunctionSpec;

/// Nodes of a graph beyond which no alternative is traced: seconds, and hundreds of megabytes.
constexpr ir::NodeId large_graph = 1'000'000;

bool is_asked_for(const std::string& name, const EmitOptions& options) {
  return std::find(options.functions.begin(), options.functions.end(), name) != options.functions.end();
}

ir::Function trace(const FunctionSpec& algorithm, const Formulation& formulation, const model::CanonicalTree& tree,
                   const EmitOptions& options, const Observer& observer) {
  ir::Function function = catalog::trace(algorithm, formulation, tree);
  observer.done("graph", [&] { return ir::dump(function); });
  function = simplify(std::move(function), observer);
  return options.tamper ? options.tamper(function) : function;
}

/// Of the formulations that apply to the tree the one with the fewest flops after simplification, the first of
/// equals; or the forced one.
ir::Function trace_cheapest(const FunctionSpec& algorithm, const model::CanonicalTree& tree,
                            const EmitOptions& options, bool packed, const Observer& observer) {
  const auto forced = options.formulations.find(algorithm.name);
  std::optional<ir::Function> cheapest;
  int fewest = INT_MAX;
  for (const Formulation& formulation : algorithm.formulations) {
    if (cheapest && cheapest->graph.size() > large_graph) break;
    if (!is_candidate(formulation, algorithm, tree, options.formulations, packed)) continue;
    if (formulation.applies && !formulation.applies(tree)) continue;
    observer.begin(algorithm.name + ": " + formulation.name);
    ir::Function function = trace(algorithm, formulation, tree, options, observer);
    const int flops = ir::count_cost(function).flops;
    if (cheapest && flops >= fewest) continue;
    fewest = flops;
    cheapest = std::move(function);
  }
  if (cheapest) return *std::move(cheapest);
  if (forced == options.formulations.end())
    throw InternalError("no formulation of " + algorithm.name + " applies");
  throw UsageError("--formulation: \"" + forced->second + "\" cannot compute " + algorithm.name +
                   " for this robot; leave it out, and the cheapest that can is taken");
}

std::vector<int> sizes(const std::vector<ir::Parameter>& parameters) {
  std::vector<int> list;
  for (const ir::Parameter& p : parameters) list.push_back(p.size);
  return list;
}

ir::Program schedule(ir::Function function, const Observer& observer,
                     const passes::ScheduleOptions& options = {}) {
  ir::Program program = passes::schedule(std::move(function), options);
  observer.done("program", [&] { return dump(program); });
  return program;
}

/// As reported, loops included.
int code_bytes(const ir::Program& program, cost::Target target) {
  const auto& completion = program.function.completion;
  return cost::estimated_code_bytes(program, target) + (completion ? completion->code_bytes : 0);
}

/// The dense form; in loops where unrolled code would exceed --max-code, these are shorter and nobody forced it.
ir::Program schedule_dense(const FunctionSpec& algorithm, const ir::Function& function,
                           const model::CanonicalTree& tree, const EmitOptions& options, const Observer& observer) {
  ir::Program program = schedule(function, observer);
  const bool is_forced = options.formulations.count(algorithm.name) > 0;
  const cost::Target target = target_of(options);
  const bool fits = options.max_code == 0 || code_bytes(program, target) <= options.max_code;
  if (is_forced || fits) return program;
  for (const Formulation& formulation : algorithm.formulations) {
    if (!formulation.in_loops || (formulation.applies && !formulation.applies(tree))) continue;
    ir::Program looped = schedule(trace(algorithm, formulation, tree, options, observer), observer);
    if (code_bytes(looped, target) < code_bytes(program, target)) return looped;
  }
  return program;
}

}  // namespace

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", passes::in_order},
      {"dead-code", passes::remove_dead_code},
      {"factor-products", passes::factor_products},
      {"sink-negations", passes::sink_negations},
  };
  return passes;
}

ir::Function simplify(ir::Function function, const Observer& observer) {
  for (const Pass& pass : simplifying_passes()) {
    function = pass.run(function);
    observer.done(pass.name, [&] { return ir::dump(function); });
  }
  return function;
}

std::vector<emit::FunctionRequest> lower_function(const FunctionSpec& algorithm, const model::CanonicalTree& tree,
                                                  const EmitOptions& options, const Observer& observer) {
  const bool dense = is_asked_for(algorithm.name, options);
  const bool packed = has_packed_form(algorithm) && is_asked_for(packed_name(algorithm), options);
  if (!dense && !packed) return {};
  if (algorithm.takes_link) return {{&algorithm, {}}};
  std::vector<emit::FunctionRequest> requests;
  ir::Function function = trace_cheapest(algorithm, tree, options, !dense, observer);
  if (dense) requests.push_back({&algorithm, schedule_dense(algorithm, function, tree, options, observer)});
  const bool for_batch = dense && options.batch && has_packed_form(algorithm);
  if (!packed && !for_batch) return requests;
  if (function.completion) function = trace_cheapest(algorithm, tree, options, true, observer);
  passes::PackedFunction form = passes::pack(function);
  const ir::Program program = schedule(std::move(form.function), observer);
  if (for_batch) requests.back().batch_form = emit::PackedForm{program, form.maps, sizes(function.outputs)};
  if (packed) requests.push_back({&algorithm, program, std::move(form.maps), sizes(function.outputs)});
  return requests;
}

std::vector<ir::Program> lower_pose_steps(const model::CanonicalTree& tree, const EmitOptions& options,
                                          const Observer& observer) {
  passes::ScheduleOptions one_part;
  one_part.max_statements = INT_MAX;
  std::vector<ir::Program> steps;
  observer.begin("kinematics");
  for (int body = 0; body < static_cast<int>(tree.bodies.size()); ++body) {
    ir::Function step = algorithms::trace_pose_step(tree, body);
    observer.done("graph", [&] { return ir::dump(step); });
    step = simplify(std::move(step), observer);
    if (options.tamper) step = options.tamper(step);
    steps.push_back(schedule(std::move(step), observer, one_part));
  }
  return steps;
}

cost::Target target_of(const EmitOptions& options) {
  return options.target ? *options.target : cost::usual_target(options.scalars);
}

std::vector<std::string> lowering_stage_names() {
  std::vector<std::string> names{"graph"};
  for (const Pass& pass : simplifying_passes()) names.push_back(pass.name);
  names.push_back("program");
  return names;
}

}  // namespace featherline
