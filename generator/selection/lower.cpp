#include "selection/lower.hpp"

#include "algorithms/kinematics.hpp"
#include "cost/estimate.hpp"
#include "ir/dump.hpp"
#include "passes/pack.hpp"
#include "passes/passes.hpp"

#include <climits>
#include <optional>
#include <utility>

namespace featherline {
namespace {

using catalog::Formulation;

/// Nodes of a graph beyond which no alternative is traced: seconds, and hundreds of megabytes.
constexpr ir::NodeId large_graph = 1'000'000;

std::vector<int> sizes(const std::vector<ir::Parameter>& parameters) {
  std::vector<int> list;
  for (const ir::Parameter& p : parameters) list.push_back(p.size);
  return list;
}

class Lowering {
 public:
  Lowering(const FunctionPlan& plan, const model::CanonicalTree& tree, const Options& options,
           const Observer& observer)
      : plan_(plan), tree_(tree), options_(options), observer_(observer) {}

  LoweredFunction run() const {
    if (plan_.spec->takes_link) return {{{plan_.spec, {}}}, pose_steps()};
    LoweredFunction lowered;
    ir::Function function = cheapest(plan_.candidates);
    if (plan_.dense) lowered.forms.push_back({plan_.spec, dense_program(function)});
    if (!plan_.needs_packing()) return lowered;
    if (!plan_.packed_candidates.empty()) function = cheapest(plan_.packed_candidates);
    passes::PackedFunction form = passes::pack(function);
    const ir::Program program = schedule(std::move(form.function));
    if (plan_.batch) lowered.forms.back().batch_form = {program, form.maps, sizes(function.outputs)};
    if (plan_.packed)
      lowered.forms.push_back({plan_.spec, program, std::move(form.maps), sizes(function.outputs)});
    return lowered;
  }

 private:
  ir::Function simplified(ir::Function function) const {
    observer_.done("graph", [&] { return ir::dump(function); });
    function = passes::simplify(std::move(function), observer_);
    return options_.tamper ? options_.tamper(function) : function;
  }

  ir::Function trace(const Formulation& formulation) const {
    return simplified(catalog::trace(*plan_.spec, formulation, tree_));
  }

  /// The one with the fewest flops after simplification, the first of equals.
  ir::Function cheapest(const Formulations& candidates) const {
    std::optional<ir::Function> kept;
    int fewest = INT_MAX;
    for (const Formulation* formulation : candidates) {
      if (kept && kept->graph.size() > large_graph) break;
      observer_.begin(plan_.spec->name + ": " + formulation->name);
      ir::Function function = trace(*formulation);
      const int flops = ir::count_cost(function).flops;
      if (kept && flops >= fewest) continue;
      fewest = flops;
      kept = std::move(function);
    }
    return std::move(kept).value();
  }

  ir::Program schedule(ir::Function function, const passes::ScheduleOptions& how = {}) const {
    function = passes::prefer_positive_names(function);
    observer_.done("positive-names", [&] { return ir::dump(function); });
    ir::Program program = passes::schedule(std::move(function), how);
    observer_.done("program", [&] { return ir::dump(program); });
    return program;
  }

  int code_bytes(const ir::Program& program) const {
    return cost::estimated_code_bytes(program, options_.estimated_target());
  }

  /// In loops where the code would be too long otherwise and they are shorter.
  ir::Program dense_program(const ir::Function& function) const {
    ir::Program program = schedule(function);
    if (plan_.shorter.empty() || code_bytes(program) <= options_.max_code) return program;
    for (const Formulation* formulation : plan_.shorter) {
      ir::Program looped = schedule(trace(*formulation));
      if (code_bytes(looped) < code_bytes(program)) return looped;
    }
    return program;
  }

  std::vector<ir::Program> pose_steps() const {
    passes::ScheduleOptions one_part;
    one_part.max_statements = INT_MAX;
    std::vector<ir::Program> steps;
    observer_.begin("kinematics");
    for (int body = 0; body < static_cast<int>(tree_.bodies.size()); ++body)
      steps.push_back(schedule(simplified(algorithms::trace_pose_step(tree_, body)), one_part));
    return steps;
  }

  const FunctionPlan& plan_;
  const model::CanonicalTree& tree_;
  const Options& options_;
  const Observer& observer_;
};

}  // namespace

LoweredFunction lower(const FunctionPlan& plan, const model::CanonicalTree& tree, const Options& options,
                      const Observer& observer) {
  return Lowering(plan, tree, options, observer).run();
}

std::vector<std::string> lowering_stage_names() {
  std::vector<std::string> names{"graph"};
  for (const passes::Pass& pass : passes::simplifying_passes()) names.emplace_back(pass.name);
  names.emplace_back("positive-names");
  names.emplace_back("program");
  return names;
}

}  // namespace featherline
