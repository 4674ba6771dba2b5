#include "selection/lower.hpp"

#include "algorithms/first_derivatives.hpp"
#include "cost/estimate.hpp"
#include "ir/kernel.hpp"
#include "model/canonical.hpp"
#include "model/regroup.hpp"
#include "passes/pack.hpp"
#include "passes/schedule.hpp"
#include "passes/signs.hpp"
#include "passes/simplify.hpp"

#include <climits>
#include <memory>
#include <optional>
#include <utility>

namespace featherline {
namespace {

using catalog::Formulation;

/// If the best graph so far has more nodes than this, no further formulation is traced. Each would take seconds and
/// hundreds of megabytes.
constexpr ir::NodeId large_graph = 1'000'000;

std::vector<int> sizes(const std::vector<ir::Buffer>& parameters) {
  std::vector<int> list;
  for (const ir::Buffer& p : parameters) list.push_back(p.size);
  return list;
}

class Lowering {
 public:
  Lowering(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
           const Observer& observer)
      : plan_(plan), trees_(trees), options_(options), observer_(observer) {}

  LoweredFunction run() const {
    LoweredFunction forms;
    ir::Kernel chosen = cheapest(plan_.candidates);
    if (plan_.dense) forms.push_back({plan_.spec, dense_form(chosen)});
    if (!plan_.needs_packing()) return forms;
    if (!plan_.packed_candidates.empty()) chosen = cheapest(plan_.packed_candidates);
    passes::PackedKernel packed = passes::pack(chosen);
    passes::ScheduleOptions how;
    how.limb_loops =
        plan_.batch && !plan_.packed;  // lanes hold states; if both are asked for, they share the code
    const ir::Kernel kernel = schedule(std::move(packed.kernel), how);
    if (plan_.batch) forms.back().batch_form = {kernel, packed.maps, sizes(chosen.outputs)};
    if (plan_.packed) forms.push_back({plan_.spec, kernel, std::move(packed.maps), sizes(chosen.outputs)});
    return forms;
  }

 private:
  ir::Kernel simplified(ir::Kernel kernel) const {
    observer_.done("graph", [&] { return ir::dump(kernel); });
    kernel = passes::simplify(std::move(kernel), observer_);
    if (options_.tamper) kernel = options_.tamper(kernel);
    return with_steps(std::move(kernel), [this](ir::Kernel step) { return simplified(std::move(step)); });
  }

  /// The kernel after `change` was applied to the steps of its walk, if it has one.
  template <class Change>
  static ir::Kernel with_steps(ir::Kernel kernel, const Change& change) {
    for (ir::Step& step : kernel.steps) {
      auto* call = std::get_if<ir::Call>(&step);
      if (call == nullptr || !call->walk) continue;
      ir::LinkWalk walk = *call->walk;
      for (ir::Kernel& outwards : walk.steps) outwards = change(std::move(outwards));
      call->walk = std::make_shared<ir::LinkWalk>(std::move(walk));
    }
    return kernel;
  }

  ir::Kernel trace(const Formulation& formulation) const {
    return simplified(formulation.in_lanes ? catalog::trace(*plan_.spec, formulation, trees_.folded.value())
                                           : catalog::trace(*plan_.spec, formulation, trees_.tree));
  }

  /// The kernel with the fewest flops after simplification. Of equals it is the first.
  ir::Kernel cheapest(const Formulations& candidates) const {
    std::optional<ir::Kernel> kept;
    int fewest = INT_MAX;
    for (const Formulation* formulation : candidates) {
      if (kept && kept->graph.size() > large_graph) break;
      observer_.begin(plan_.spec->name + ": " + formulation->name);
      ir::Kernel kernel = trace(*formulation);
      const int flops = ir::count_cost(kernel).flops;
      if (kept && flops >= fewest) continue;
      fewest = flops;
      kept = std::move(kernel);
    }
    return std::move(kept).value();
  }

  ir::Kernel schedule(ir::Kernel kernel, passes::ScheduleOptions how = {}) const {
    kernel = passes::prefer_positive_names(kernel);
    how.limb_loops = how.limb_loops || cost::is_cortex_m(options_.estimated_target());
    observer_.done("positive-names", [&] { return ir::dump(kernel); });
    kernel = passes::schedule(std::move(kernel), how);
    passes::ScheduleOptions one_part;
    one_part.max_operations = INT_MAX;
    kernel =
        with_steps(std::move(kernel), [&](ir::Kernel step) { return schedule(std::move(step), one_part); });
    observer_.done("program", [&] { return ir::dump(kernel); });
    return kernel;
  }

  int code_bytes(const ir::Kernel& kernel) const {
    return cost::estimate(kernel, options_.estimated_target()).code_bytes;
  }

  /// The dense form. It uses loops if the code would be too long otherwise and the loops are shorter.
  ir::Kernel dense_form(const ir::Kernel& chosen) const {
    passes::ScheduleOptions how;
    how.zeros_apart = catalog::has_nonzeros_form(*plan_.spec);
    ir::Kernel kernel = schedule(chosen, how);
    if (plan_.shorter.empty() || code_bytes(kernel) <= options_.max_code) return kernel;
    for (const Formulation* formulation : plan_.shorter) {
      ir::Kernel looped = schedule(trace(*formulation), how);
      if (code_bytes(looped) < code_bytes(kernel)) return looped;
    }
    return kernel;
  }

  const FunctionPlan& plan_;
  const ChosenTrees& trees_;
  const Options& options_;
  const Observer& observer_;
};

}  // namespace

LoweredFunction lower(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
                      const Observer& observer) {
  return Lowering(plan, trees, options, observer).run();
}

std::vector<std::string> lowering_stage_names() {
  std::vector<std::string> names{"graph"};
  for (const passes::Pass& pass : passes::simplifying_passes()) names.emplace_back(pass.name);
  names.emplace_back("positive-names");
  names.emplace_back("program");
  return names;
}

model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer) {
  const model::CanonicalTree canonical = model::canonicalise(user);
  observer.done("canonical", [&] { return model::dump(canonical); });

  model::CanonicalTree regrouped = model::regroup_inertias(canonical);
  if (common_frames) {
    observer.begin("choosing frames");
    regrouped.own_frames = algorithms::choose_own_frames(regrouped);
  }
  observer.done("regrouped", [&] { return model::dump(regrouped); });
  return regrouped;
}

model::CanonicalTree in_plain_frames(const model::UserTree& user) {
  return model::regroup_inertias(model::canonicalise(user, model::Frames::plain));
}

namespace {

/// Bodies with the same place in equal limbs do the same. For readers, the tree with all limbs has the choice, too.
void choose_own_frames_of_limbs(model::FoldedTree& tree) {
  tree.walked.own_frames = algorithms::choose_own_frames(tree);
  tree.full.own_frames.resize(tree.full.bodies.size());
  for (std::size_t k = 0; k < tree.folding.bodies.size(); ++k) {
    for (const int member : tree.folding.bodies[k].members)
      tree.full.own_frames[static_cast<std::size_t>(member)] = tree.walked.own_frames[k];
  }
}

}  // namespace

ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan, const Observer& observer) {
  ChosenTrees trees{in_chosen_frames(user, plan.common_frames, observer), {}};
  if (!plan.lanes) return trees;
  observer.begin("choosing frames of limbs");
  trees.folded =
      model::fold_limbs(model::regroup_inertias(model::canonicalise(user, model::Frames::of_limbs)));
  if (plan.common_frames) choose_own_frames_of_limbs(*trees.folded);
  return trees;
}

ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes) {
  ChosenTrees trees{in_plain_frames(user), {}};
  if (lanes) trees.folded = model::fold_limbs(trees.tree);
  return trees;
}

}  // namespace featherline
