#include "selection/choose.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "cost/estimate.hpp"
#include "passes/simplify.hpp"

#include <algorithm>
#include <utility>

namespace featherline {

model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer, int jobs) {
  const model::CanonicalTree canonical = model::canonicalise(user);
  observer.done("canonical", canonical);
  model::CanonicalTree regrouped = model::regroup_inertias(canonical);
  if (common_frames) {
    observer.begin("choosing frames");
    regrouped.own_frames = algorithms::choose_own_frames(regrouped, jobs);
  }
  observer.done("regrouped", regrouped);
  return regrouped;
}

namespace {

/// Bodies with the same place in equal limbs do the same. For readers, the tree with all limbs has the choice, too.
void choose_own_frames_of_limbs(model::FoldedTree& tree, int jobs) {
  tree.walked.own_frames = algorithms::choose_own_frames(tree, jobs);
  tree.full.own_frames.resize(tree.full.bodies.size());
  for (std::size_t k = 0; k < tree.folding.bodies.size(); ++k) {
    for (const int member : tree.folding.bodies[k].members)
      tree.full.own_frames[static_cast<std::size_t>(member)] = tree.walked.own_frames[k];
  }
}

using catalog::Formulation;

/// Unrolled code of so many flops takes more than 30 ms to trace and simplify.
constexpr double long_tracing = 20'000;
/// Code without calls is as fast as its flops are few, but for a few per cent; lanes count as one flop. Of the measured
/// ones none with more than 1.13 times the flops of another one was faster.
constexpr double hopeless_flops = 1.25;
/// The least ns that unrolled code was seen to take for a flop, and how far the estimate of flops before tracing can be
/// above the truth.
constexpr double fastest_flop = 0.08, estimate_factor = 2.0;
/// The same of a cold call, whose code has to be fetched: straight lines were not seen to take less than 0.9 ns.
constexpr double fastest_cold_flop = 0.4;

}  // namespace

ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan, const Observer& observer,
                                   int jobs) {
  ChosenTrees trees{in_chosen_frames(user, plan.common_frames, observer, jobs), {}};
  if (!plan.lanes) return trees;
  observer.begin("choosing frames of limbs");
  trees.folded =
      model::fold_limbs(model::regroup_inertias(model::canonicalise(user, model::Frames::of_limbs)));
  if (plan.common_frames) choose_own_frames_of_limbs(*trees.folded, jobs);
  return trees;
}

ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes) {
  ChosenTrees trees{model::regroup_inertias(model::canonicalise(user, model::Frames::plain)), {}};
  if (lanes) trees.folded = model::fold_limbs(trees.tree);
  return trees;
}

ir::Kernel trace(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                 const ChosenTrees& trees) {
  return formulation.in_lanes() ? catalog::trace(function, formulation, trees.folded.value())
                                : catalog::trace(function, formulation, trees.tree);
}

bool Stack::fits() const { return bytes <= cost::much_stack; }

bool Choosing::can_be_traced(const Formulation& formulation) const {
  return (!formulation.in_lanes() || trees.folded) && (!formulation.is_unrolled() || !has_large_graph);
}

ir::Kernel trace(const Choosing& choosing, const Formulation& formulation) {
  choosing.observer.begin(choosing.function().name + ": " + formulation.name);
  return trace(choosing.function(), formulation, choosing.trees);
}

Traced simplified(Choosing& choosing, const Formulation& formulation, ir::Kernel graph) {
  Traced candidate{&formulation, passes::simplify(std::move(graph), choosing.observer)};
  choosing.has_large_graph = choosing.has_large_graph || candidate.graph.graph.size() > large_graph;
  return candidate;
}

ir::Kernel dense_program(const Choosing& choosing, const ir::Kernel& graph) {
  passes::ScheduleOptions how;
  how.zeros_apart = catalog::has_nonzeros_form(choosing.function());
  how.limb_loops = cost::is_cortex_m(choosing.options.estimated_target());
  return passes::make_program(graph, how, choosing.observer);
}

void set_cost(Choosing& choosing, Traced& candidate, bool needs_stack) {
  const Options& options = choosing.options;
  candidate.predicted_cost = ir::count_cost(candidate.graph).flops;
  if (options.goal() == Goal::flops && options.max_code == 0 && !needs_stack) return;
  candidate.program = dense_program(choosing, candidate.graph);
  const cost::Figures figures = cost::estimate(*candidate.program, options.estimated_target());
  candidate.code_bytes = figures.code_bytes;
  if (options.goal() == Goal::size) candidate.predicted_cost = figures.code_bytes;
  if (options.goal() == Goal::speed)
    candidate.predicted_cost =
        figures.ns.value_or(candidate.predicted_cost) + cost::price_of_long_code(figures.work.run_code);
  if (options.goal() == Goal::latency)
    candidate.predicted_cost = figures.cold_ns.value_or(candidate.predicted_cost);
  choosing.stacks.push_back({candidate.formulation, figures.stack_bytes, candidate.predicted_cost});
}

std::optional<Leaner> leaner_than(const ir::Kernel& program, Choosing& choosing) {
  if (choosing.plan.candidates.size() == 1) return {};
  const int bytes = cost::estimate(program, choosing.options.estimated_target()).stack_bytes;
  if (bytes <= cost::much_stack) return {};
  std::vector<Stack>& stacks = choosing.stacks;
  Formulations candidates = choosing.plan.candidates;
  std::ranges::stable_partition(candidates, [](const Formulation* f) { return !f->in_loops(); });
  for (const Formulation* formulation : candidates) {
    const auto is_known = [&](const Stack& stack) { return stack.formulation == formulation; };
    if (std::ranges::any_of(stacks, [](const Stack& stack) { return stack.fits(); })) break;
    if (std::ranges::any_of(stacks, is_known) || !choosing.can_be_traced(*formulation)) continue;
    Traced candidate = simplified(choosing, *formulation, trace(choosing, *formulation));
    set_cost(choosing, candidate, true);
  }
  const auto is_better = [](const Stack& a, const Stack& b) {
    if (a.fits() != b.fits()) return a.fits();
    return a.fits() ? a.predicted_cost < b.predicted_cost : a.bytes < b.bytes;
  };
  const auto best = std::ranges::min_element(stacks, is_better);
  if (best == stacks.end() || best->bytes >= bytes) return {};
  return Leaner{best->formulation->name, best->bytes};
}

bool Best::admits(double unrolled_flops) const {
  if (!kept_ || !options_.is_for_time() || unrolled_flops == 0.0 || !fits(*kept_)) return true;
  const double fastest = options_.goal() == Goal::latency ? fastest_cold_flop : fastest_flop;
  return unrolled_flops / estimate_factor * fastest < kept_->predicted_cost;
}

bool Best::admits(const ir::Kernel& kernel, double share) const {
  if (!kept_ || !fits(*kept_)) return true;
  if (!kernel.ends_in_calls()) return share * ir::count_cost(kernel).flops <= hopeless_flops * fewest_flops_;
  double ns = 0;
  for (const ir::Call* call : kernel.calls()) ns += call->cost.ns;
  return !options_.is_for_time() || ns < kept_->predicted_cost;
}

void Best::add(const Traced& candidate) {
  if (!candidate.graph.ends_in_calls())
    fewest_flops_ = std::min<double>(fewest_flops_, ir::count_cost(candidate.graph).flops);
  if (!kept_ || is_better(candidate, *kept_)) kept_ = candidate;
}

/// What --max-code allows is better than what it does not allow. If it allows neither, the shorter one is better.
bool Best::is_better(const Traced& a, const Traced& b) const {
  if (fits(a) != fits(b)) return fits(a);
  return fits(a) ? a.predicted_cost < b.predicted_cost : a.code_bytes < b.code_bytes;
}

bool Best::fits(const Traced& traced) const {
  return options_.max_code == 0 || traced.code_bytes <= options_.max_code;
}

void Rivals::add(const Traced& candidate) {
  all.add(candidate);
  if (to_pack && !candidate.formulation->in_loops()) packable.add(candidate);
}

Formulations in_tracing_order(const Choosing& choosing, Formulations candidates) {
  if (!choosing.options.is_for_time()) return candidates;
  const bool loops_first = std::ranges::any_of(candidates, [&](const Formulation* f) {
    return catalog::unrolled_flops(choosing.function(), *f, choosing.trees.tree) > long_tracing;
  });
  std::ranges::stable_partition(
      candidates, [&](const Formulation* f) { return f->in_lanes() || (f->in_loops() && loops_first); });
  return candidates;
}

}  // namespace featherline
