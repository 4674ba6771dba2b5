#include "selection/lower.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "cost/estimate.hpp"
#include "ir/kernel.hpp"
#include "model/canonical.hpp"
#include "model/regroup.hpp"
#include "passes/pack.hpp"
#include "passes/schedule.hpp"
#include "passes/signs.hpp"
#include "passes/simplify.hpp"
#include "selection/best.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace featherline {
namespace {

using catalog::Formulation;

std::vector<int> sizes(const std::vector<ir::Buffer>& parameters) {
  std::vector<int> list;
  for (const ir::Buffer& p : parameters) list.push_back(p.size);
  return list;
}

/// Simplification is taken to leave at least this share of the flops.
constexpr double simplification = 0.5;
/// Predicted times are those of one function called again and again on a Zen 4. In a program, code that is longer than the
/// instruction cache also drives out what runs between the calls. And other processors fetch it more slowly: a byte takes
/// 0.005 ns here, which the prediction has, and 0.029 ns on a Sapphire Rapids. The price is a tenth of the difference,
/// because nobody calls everything in turn. Beyond 200 KB, which are about 140 KB in truth, the whole difference is
/// paid: simple_humanoid's aba_vector_hessian would take 304 KB for a gain of 19 % on a Zen 4, and now takes 79 KB.
double price_of_long_code(int code_bytes) {
  constexpr double cache = 48e3, far = 200e3, ns_of_byte = 0.002, ns_of_far_byte = 0.02;
  return ns_of_byte * std::max(0.0, code_bytes - cache) + ns_of_far_byte * std::max(0.0, code_bytes - far);
}

/// Unrolled code of so many flops takes more than 30 ms to trace and simplify.
constexpr double long_tracing = 20'000;

class Lowering {
 public:
  Lowering(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
           const Observer& observer)
      : plan_(plan), trees_(trees), options_(options), observer_(observer) {}

  LoweredForms run() {
    LoweredForms forms;
    Choice choice = choose(plan_.candidates);
    Traced chosen = std::move(choice.best).value();
    if (plan_.dense) {
      forms.push_back({plan_.spec, dense_form(chosen)});
      forms.back().leaner = leaner_than(forms.back().kernel);
    }
    if (!plan_.needs_packing()) return forms;
    if (chosen.formulation->in_loops()) {
      if (!choice.packable) choice = choose(plan_.packed_candidates);
      chosen = std::move(choice.packable).value();
    }
    passes::PackedKernel packed = passes::pack(chosen.graph);
    passes::ScheduleOptions how;
    how.limb_loops =
        plan_.batch && !plan_.packed;  // lanes hold states; if both are asked for, they share the code
    const ir::Kernel kernel = schedule(std::move(packed.kernel), how);
    if (plan_.batch) forms.back().batch_form = {kernel, packed.maps, sizes(chosen.graph.outputs)};
    if (plan_.packed)
      forms.push_back({plan_.spec, kernel, std::move(packed.maps), sizes(chosen.graph.outputs)});
    return forms;
  }

 private:
  ir::Kernel simplified(ir::Kernel kernel) const {
    observer_.done("graph", [&] { return ir::dump(kernel); });
    kernel = passes::simplify(std::move(kernel), observer_);
    if (observer_.tamper) kernel = observer_.tamper(kernel);
    return with_steps(std::move(kernel), [this](ir::Kernel step) { return simplified(std::move(step)); });
  }

  /// The kernel after `change` was applied to the bodies of its calls and to the steps of its walk.
  template <class Change>
  static ir::Kernel with_steps(ir::Kernel kernel, const Change& change) {
    std::map<std::shared_ptr<const ir::Kernel>, std::shared_ptr<const ir::Kernel>> bodies;
    for (ir::Step& step : kernel.steps) {
      auto* call = std::get_if<ir::Call>(&step);
      if (call != nullptr && call->body) {
        std::shared_ptr<const ir::Kernel>& changed = bodies[call->body];
        if (!changed) changed = std::make_shared<const ir::Kernel>(change(*call->body));
        call->body = changed;
      }
      if (call == nullptr || !call->walk) continue;
      ir::LinkWalk walk = *call->walk;
      for (ir::Kernel& outwards : walk.steps) outwards = change(std::move(outwards));
      call->walk = std::make_shared<ir::LinkWalk>(std::move(walk));
    }
    return kernel;
  }

  ir::Kernel trace(const Formulation& formulation) const {
    return formulation.in_lanes() ? catalog::trace(*plan_.spec, formulation, trees_.folded.value())
                                  : catalog::trace(*plan_.spec, formulation, trees_.tree);
  }

  /// The best of all candidates, and the best of those that can be packed, if the plan needs one.
  struct Choice {
    std::optional<Traced> best, packable;
  };

  Choice choose(const Formulations& candidates) {
    Best best(options_), packable(options_);
    if (candidates.size() == 1) {
      best.add(traced(*candidates.front(), trace(*candidates.front())));
      return {best.kept(), candidates.front()->in_loops() ? std::nullopt : best.kept()};
    }
    for (const Formulation* formulation : in_tracing_order(candidates)) {
      if (!can_be_traced(*formulation)) continue;
      std::vector<Best*> rivals{&best};
      if (plan_.needs_packing() && !formulation->in_loops()) rivals.push_back(&packable);
      const auto admitted = [&](const auto&... what) {
        return std::any_of(rivals.begin(), rivals.end(), [&](const Best* b) { return b->admits(what...); });
      };
      if (!admitted(catalog::unrolled_flops(*plan_.spec, *formulation, trees_.tree))) continue;
      observer_.begin(plan_.spec->name + ": " + formulation->name);
      ir::Kernel graph = trace(*formulation);
      if (!admitted(graph, simplification)) continue;
      Traced candidate = traced(*formulation, std::move(graph));
      is_large_ = is_large_ || candidate.graph.graph.size() > large_graph;
      if (!admitted(candidate.graph)) continue;
      set_price(candidate);
      if (candidate.program) keep_stack(candidate);
      for (Best* rival : rivals) rival->add(candidate);
    }
    return {best.kept(), packable.kept()};
  }

  bool can_be_traced(const Formulation& formulation) const {
    return (!formulation.in_lanes() || trees_.folded) && (formulation.in_loops() || !is_large_);
  }

  struct Stack {
    const Formulation* formulation;
    int bytes;
    double predicted_cost;
    bool fits() const { return bytes <= cost::much_stack; }
  };

  void keep_stack(const Traced& traced) {
    stacks_.push_back({traced.formulation, traced.stack_bytes, traced.predicted_cost});
  }

  /// The best formulation that does not need much stack, else the one that needs least; nothing if the kernel needs
  /// no more. What the choice left out is traced, too, until a formulation fits; arrays of loops are on the stack, so
  /// they come last.
  std::optional<Leaner> leaner_than(const ir::Kernel& kernel) {
    if (plan_.candidates.size() == 1) return {};
    const int bytes = cost::estimate(kernel, options_.estimated_target()).stack_bytes;
    if (bytes <= cost::much_stack) return {};
    Formulations candidates = plan_.candidates;
    std::stable_partition(candidates.begin(), candidates.end(),
                          [](const Formulation* f) { return !f->in_loops(); });
    for (const Formulation* formulation : candidates) {
      const auto is_known = [&](const Stack& stack) { return stack.formulation == formulation; };
      if (std::any_of(stacks_.begin(), stacks_.end(), [](const Stack& stack) { return stack.fits(); })) break;
      if (std::any_of(stacks_.begin(), stacks_.end(), is_known) || !can_be_traced(*formulation)) continue;
      observer_.begin(plan_.spec->name + ": " + formulation->name);
      Traced candidate = traced(*formulation, trace(*formulation));
      is_large_ = is_large_ || candidate.graph.graph.size() > large_graph;
      set_price(candidate, true);
      keep_stack(candidate);
    }
    const auto is_better = [](const Stack& a, const Stack& b) {
      if (a.fits() != b.fits()) return a.fits();
      return a.fits() ? a.predicted_cost < b.predicted_cost : a.bytes < b.bytes;
    };
    const auto best = std::min_element(stacks_.begin(), stacks_.end(), is_better);
    if (best == stacks_.end() || best->bytes >= bytes) return {};
    return Leaner{best->formulation->name, best->bytes};
  }

  Traced traced(const Formulation& formulation, ir::Kernel graph) const {
    return {&formulation, simplified(std::move(graph)), {}};
  }

  /// Limb lanes come first: they are traced in no time, and mostly show that everything else is hopeless. So do loops
  /// if unrolled code would be long.
  Formulations in_tracing_order(Formulations candidates) const {
    if (options_.goal() != Goal::speed) return candidates;
    const auto is_long = [&](const Formulation* f) {
      return catalog::unrolled_flops(*plan_.spec, *f, trees_.tree) > long_tracing;
    };
    const bool loops_first = std::any_of(candidates.begin(), candidates.end(), is_long);
    std::stable_partition(candidates.begin(), candidates.end(), [&](const Formulation* f) {
      return f->in_lanes() || (f->in_loops() && loops_first);
    });
    return candidates;
  }

  void set_price(Traced& candidate, bool needs_stack = false) const {
    candidate.predicted_cost = ir::count_cost(candidate.graph).flops;
    if (options_.goal() == Goal::flops && options_.max_code == 0 && !needs_stack) return;
    candidate.program = schedule_dense(candidate.graph);
    const cost::Figures figures = cost::estimate(*candidate.program, options_.estimated_target());
    candidate.code_bytes = figures.code_bytes;
    candidate.stack_bytes = figures.stack_bytes;
    if (options_.goal() == Goal::size) candidate.predicted_cost = figures.code_bytes;
    if (options_.goal() == Goal::speed)
      candidate.predicted_cost =
          figures.ns.value_or(candidate.predicted_cost) + price_of_long_code(figures.code_bytes);
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

  /// The program of the dense form.
  ir::Kernel schedule_dense(ir::Kernel kernel) const {
    passes::ScheduleOptions how;
    how.zeros_apart = catalog::has_nonzeros_form(*plan_.spec);
    return schedule(std::move(kernel), how);
  }

  /// The dense form. It uses loops if the code would be too long otherwise and the loops are shorter.
  ir::Kernel dense_form(const Traced& chosen) const {
    ir::Kernel kernel = chosen.program ? *chosen.program : schedule_dense(chosen.graph);
    if (plan_.shorter.empty() || code_bytes(kernel) <= options_.max_code) return kernel;
    for (const Formulation* formulation : plan_.shorter) {
      ir::Kernel looped = schedule_dense(simplified(trace(*formulation)));
      if (code_bytes(looped) < code_bytes(kernel)) return looped;
    }
    return kernel;
  }

  const FunctionPlan& plan_;
  const ChosenTrees& trees_;
  const Options& options_;
  const Observer& observer_;
  bool is_large_ = false;      ///< some graph was, so nothing more is unrolled
  std::vector<Stack> stacks_;  ///< of formulations that were scheduled
};

}  // namespace

LoweredForms lower(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
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
