#include "pipeline.hpp"

#include "cost/device.hpp"
#include "cost/estimate.hpp"
#include "emit/identifiers.hpp"
#include "formats/reader.hpp"
#include "passes/schedule.hpp"
#include "passes/simplify.hpp"
#include "selection/quarter_turns.hpp"
#include "support/side_by_side.hpp"
#include "support/text.hpp"
#include "verify/verify.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <utility>

// Read this file first: it is the whole run, from top to bottom.
//
//   read          the robot's file -> Description             formats/
//   lock          joints become fixed (--lock)                model/locked_joints.cpp
//   build         Description -> Robot                        robot.cpp, model/build_tree.cpp
//   plan          Robot, Options -> Plan                      selection/existing_functions.cpp, function_plan.cpp
//   canonicalise  user's tree -> tree in chosen frames        selection/choose.cpp, model/canonical.cpp
//   trace         Formulation, tree -> a graph                catalog/, algorithms/
//   simplify      graph -> graph                              passes/simplify.cpp
//   choose        graphs -> the best for Options::goal()      selection/choose.cpp
//   schedule      graph -> Kernel of steps                    passes/schedule.cpp
//   verify        Kernel -> its error                         verify/
//   emit          kernels -> files                            emit/
//
// Where a kernel disagrees with the reference solver, the next row of `attempts` is tried.

namespace featherline {

Robot read_robot(const std::string& file, const Options& options, Diagnostics& findings,
                 const Observer& observer) {
  const auto unknown =
      options.allow_unknown_attributes ? formats::UnknownWords::ignored : formats::UnknownWords::refused;
  description::Description description = formats::read_file(file, findings, unknown, options.xacro_arguments);
  stop_on_errors(findings);
  observer.done("description", description);

  const model::BuildOptions& build = options.build;
  model::lock_joints(description, build.locked, !build.mimic_independent, build.floating_base, findings);
  Robot robot = build_robot(std::move(description), options, findings);
  observer.done("tree", robot.tree);
  return robot;
}

Plan make_plan(const Robot& robot, const Options& options, Diagnostics& findings) {
  Plan plan;
  plan.name = choose_name(robot, options, findings);
  tell_goal(robot, options, findings);
  const std::vector<std::string> names = existing_functions(robot, options, findings);
  const auto is_asked = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const catalog::FunctionSpec& entry : catalog::functions()) {
    const catalog::FunctionSpec& spec = catalog::with_chosen_parts(entry, robot.tree);
    const bool dense = is_asked(spec.name), packed = has_packed_form(spec) && is_asked(packed_name(spec));
    if (dense || packed) plan.functions.push_back(plan_function(spec, dense, packed, robot.tree, options));
  }
  for (const FunctionPlan& function : plan.functions) {
    plan.common_frames = plan.common_frames || function.spec->uses_common_frames;
    for (const Formulations* list : {&function.candidates, &function.packed_candidates, &function.shorter,
                                     &function.device_candidates}) {
      for (const catalog::Formulation* formulation : *list)
        plan.lanes = plan.lanes || formulation->in_lanes();
    }
  }
  plan.exact_turns = may_snap_quarter_turns(robot);
  return plan;
}

namespace {

/// Traces the candidates that may win and simplifies them.
Rivals choose(Choosing& choosing, const Formulations& candidates) {
  Rivals rivals(choosing.options, choosing.plan.needs_packing());
  const bool is_alone = candidates.size() == 1;
  for (const catalog::Formulation* formulation : in_tracing_order(choosing, candidates)) {
    const double flops = unrolled_flops(choosing.function(), *formulation, choosing.trees.tree);
    if (!is_alone && !choosing.can_be_traced(*formulation)) continue;
    if (!rivals.admit(*formulation, flops)) continue;
    ir::Kernel graph = trace(choosing, *formulation);
    if (!rivals.admit(*formulation, graph, simplification)) continue;
    Traced candidate = simplified(choosing, *formulation, std::move(graph));
    if (!rivals.admit(*formulation, candidate.graph)) continue;
    if (!is_alone) set_cost(choosing, candidate);
    rivals.add(candidate);
  }
  return rivals;
}

/// The dense form. It uses loops if the code would be too long otherwise and the loops are shorter.
ir::Kernel dense_form(Choosing& choosing, const Traced& chosen) {
  const auto code_bytes = [&](const ir::Kernel& program) {
    return cost::estimate(program, choosing.options.estimated_target()).code_bytes;
  };
  ir::Kernel program = chosen.program ? *chosen.program : dense_program(choosing, chosen.graph);
  if (choosing.plan.shorter.empty() || code_bytes(program) <= choosing.options.max_code) return program;
  for (const catalog::Formulation* formulation : choosing.plan.shorter) {
    const Traced loops = simplified(choosing, *formulation, trace(choosing, *formulation));
    ir::Kernel looped = dense_program(choosing, loops.graph);
    if (code_bytes(looped) < code_bytes(program)) return looped;
  }
  return program;
}

void add_packed_forms(const Choosing& choosing, const ir::Kernel& graph, LoweredForms& forms) {
  const FunctionPlan& plan = choosing.plan;
  std::vector<int> dense_sizes = each(graph.outputs, &ir::Buffer::size);
  passes::PackedKernel packed = passes::pack(graph);
  passes::ScheduleOptions how;
  // Lanes hold states; if both forms are asked for, they share the code.
  how.limb_loops = (plan.batch && !plan.packed) || cost::is_cortex_m(choosing.options.estimated_target());
  const ir::Kernel program = passes::make_program(std::move(packed.kernel), how, choosing.observer);
  if (plan.batch) forms.back().batch_form = {program, packed.maps, dense_sizes};
  if (plan.packed) forms.push_back({plan.spec, program, std::move(packed.maps), dense_sizes});
}

/// Whether batches alone compute the packed form, by a formulation in lanes that they do without. They fill vectors
/// with states: `minv` of a quadruped is 16 % quicker so in double and 7 % in float (AVX-512). Its `rnea_derivatives`
/// is up to 26 % slower, because the code is long without loops over limbs: functions of other groups keep their lanes.
bool batches_want_no_lanes(const FunctionPlan& plan, const Traced& packable) {
  return plan.batch && !plan.packed && plan.spec->group.name == catalog::dynamics.name &&
         packable.formulation->in_lanes();
}

/// The sum of the predicted times of a state over scalars and layouts.
cost::DeviceCost device_cost(const passes::DeviceProgram& program, const Options& options) {
  const cost::DeviceCounts counts = cost::count_for_device(program.kernel, program.most_alive);
  cost::DeviceCost sum;
  for (const std::string& scalar : options.scalars) {
    const cost::DeviceFigures figures =
        cost::estimate(counts, cost::scalar_bytes(scalar), options.estimated_device());
    sum.ns += figures.ns + figures.ns_in_rows;
    sum.registers = std::max(sum.registers, figures.registers);
    sum.spilled_bytes = std::max(sum.spilled_bytes, figures.spilled_bytes);
  }
  return sum;
}

/// The best with a thread a state, or with a thread a limb. The fewest operations are best for the former, and the
/// fewest values alive for the latter, whose threads share them. Nothing where routines of the runtime belong to it.
std::optional<passes::DeviceProgram> device_program(Choosing& choosing, bool on_limbs) {
  std::optional<passes::DeviceProgram> kept;
  std::optional<ir::Kernel> shortest;
  const bool zeros_apart = catalog::has_nonzeros_form(choosing.function());
  for (const catalog::Formulation* formulation : choosing.plan.device_candidates) {
    if (formulation->in_lanes() != on_limbs) continue;
    ir::Kernel graph = trace(choosing, *formulation);
    if (!graph.calls().empty()) continue;
    graph = passes::simplify(std::move(graph), choosing.observer);
    if (on_limbs) {
      passes::DeviceProgram program = passes::make_device_program(graph, zeros_apart);
      if (!kept || program.most_alive < kept->most_alive) kept = std::move(program);
    } else if (!shortest || ir::count_cost(graph).flops < ir::count_cost(*shortest).flops) {
      shortest = std::move(graph);
    }
  }
  if (shortest) kept = passes::make_device_program(*shortest, zeros_apart);
  return kept;
}

/// One of both, by what they cost.
std::optional<passes::DeviceProgram> device_form(const FunctionPlan& plan, const ChosenTrees& trees,
                                                 const Options& options) {
  const Options for_devices = options.for_devices();
  const Observer nobody;
  Choosing choosing{plan, trees, for_devices, nobody};
  std::optional<passes::DeviceProgram> kept = device_program(choosing, false),
                                       limbs = device_program(choosing, true);
  const auto cost = [&](const passes::DeviceProgram& program) { return device_cost(program, options); };
  return cost::takes_threads_of_limbs(limbs, kept, cost) ? limbs : kept;
}

Formulations without_lanes(Formulations all) {
  std::erase_if(all,
                [](const auto* formulation) { return formulation->in_lanes() || formulation->in_loops(); });
  return all;
}

}  // namespace

LoweredForms lower(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
                   const Observer& observer) {
  Choosing choosing{plan, trees, options, observer};
  const Rivals rivals = choose(choosing, plan.candidates);
  LoweredForms forms;
  if (plan.dense) {
    forms.push_back({plan.spec, dense_form(choosing, rivals.all.kept().value())});
    forms.back().device_form = device_form(plan, trees, options);
    forms.back().leaner = leaner_than(forms.back().kernel, choosing);
  }
  if (!plan.needs_packing()) return forms;
  std::optional<Traced> packable = rivals.packable.kept();
  const bool is_packed = has_packed_form(*plan.spec),
             in_lanes = packable && packable->formulation->in_lanes();
  // Without a packed form, batches still want loops over limbs. All limbs at once, each value in as many vectors, do
  // not fit registers: with AVX2 and double `rnea` of hyq took 121 ns, now 71, `aba` 286, now 159.
  if (!is_packed && !(in_lanes && packable->graph.calls().empty())) return forms;
  if (!packable) packable = choose(choosing, plan.packed_candidates).packable.kept();
  if (is_packed && batches_want_no_lanes(plan, packable.value())) {
    const std::optional<Traced> other = choose(choosing, without_lanes(plan.candidates)).packable.kept();
    if (other) packable = other;
  }
  add_packed_forms(choosing, packable.value().graph, forms);
  return forms;
}

reference::OutputError judge(LoweredForms& function, const model::UserTree& user) {
  reference::OutputError worst;
  verify::KeptProbes kept;
  for (LoweredFunction& form : function) {
    const reference::OutputError error = verify::worst_error(form, user, kept);
    form.error = error.relative;
    if (error.relative > worst.relative) worst = error;
  }
  return worst;
}

namespace {

/// In this order, until the reference solver agrees.
constexpr Attempt attempts[] = {
    {Turns::exact, model::Frames::chosen, Candidates::best, Together::all},
    {Turns::as_written, model::Frames::chosen, Candidates::best, Together::with_link},
    {Turns::as_written, model::Frames::plain, Candidates::best, Together::none},
    {Turns::as_written, model::Frames::plain, Candidates::each, Together::none},
};

/// The first of the plans that agrees, or else the last one.
Outcome try_out(const Attempt& attempt, const FunctionPlan& plan, const ChosenTrees& trees,
                const model::UserTree& user, const Options& options, const Observer& observer) {
  Outcome outcome{.function = &plan};
  std::vector<FunctionPlan> choices = plans_of(attempt, plan);
  const std::size_t count = choices.size();
  for (std::size_t k = 0; k < count && !plan.device_candidates.empty(); ++k) {
    Formulations rest = without_lanes(choices[k].device_candidates);
    if (rest.size() == choices[k].device_candidates.size()) continue;
    choices.push_back(choices[k]);  // if only limbs on threads of a device disagree
    choices.back().device_candidates = std::move(rest);
  }
  for (const FunctionPlan& choice : choices) {
    outcome.forms = lower(choice, trees, options, observer);
    outcome.attempt = &attempt;
    for (LoweredFunction& form : outcome.forms) {
      if (attempt.frames == model::Frames::plain) form.kernel.formulation += plain_frames_mark;
    }
    if (!options.verify) break;
    observer.begin(plan.spec->name + ": verifying");
    outcome.worst = judge(outcome.forms, user);
    if (outcome.agrees()) break;
  }
  return outcome;
}

/// Lowers and judges what is open. Where all have to agree, it stops at the first that does not.
void run(const Attempt& attempt, const Plan& plan, const ChosenTrees& trees, const model::UserTree& user,
         const Options& options, Observer observer, std::vector<Outcome>& outcomes) {
  std::mutex mutex;
  observer.progress = [&mutex, show = observer.progress](const std::string& what) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (show) show(what);
  };
  const int jobs = observer.needs_order() ? 1 : options.jobs;
  const std::vector<std::size_t> open = open_functions(plan, outcomes, jobs == 1);
  std::atomic<bool> is_refuted{false};
  side_by_side(jobs, open.size(), [&](std::size_t i) {
    if (is_refuted) return;
    Outcome& outcome = outcomes[open[i]];
    const std::optional<reference::OutputError> before = outcome.first_disagreement;
    outcome = try_out(attempt, plan.functions[open[i]], trees, user, options, observer);
    const bool is_first = !before && attempt.turns == Turns::as_written && !outcome.agrees();
    outcome.first_disagreement = is_first ? outcome.worst : before;
    if (attempt.together == Together::all && !outcome.agrees()) is_refuted = true;
  });
}

void refuse(const Robot& robot, const std::vector<Outcome>& outcomes, const Options& options,
            const Observer& observer) {
  const FunctionPlan& first = *std::ranges::find(outcomes, false, &Outcome::is_settled)->function;
  const auto agrees = [&](const model::UserTree& tree) {
    const FunctionPlan on_tree = plan_function(*first.spec, first.dense, first.packed, tree, options);
    LoweredForms forms = lower(on_tree, trees_in_plain_frames(tree, true), options);
    return judge(forms, tree).relative <= reference::promised_error;
  };
  refuse_disagreement(robot, outcomes, options.build, agrees, observer);
}

}  // namespace

LoweredRobot lower_robot(const Robot& robot, const Plan& plan, const Options& options,
                         const Observer& observer) {
  std::vector<Outcome> outcomes(plan.functions.size());
  std::optional<ChosenTrees> chosen, plain;
  LoweredRobot lowered;
  for (const Attempt& attempt : attempts) {
    const bool is_exact = attempt.turns == Turns::exact;
    if (is_exact && !plan.exact_turns) continue;
    if (attempt.frames == model::Frames::chosen)
      chosen = trees_in_chosen_frames(is_exact ? *robot.snapped : robot.tree, plan, observer, options.jobs);
    else if (!plain)
      plain = trees_in_plain_frames(robot.tree, chosen->folded.has_value());
    const ChosenTrees& trees = attempt.frames == model::Frames::chosen ? *chosen : *plain;
    run(attempt, plan, trees, robot.tree, options, observer, outcomes);
    settle(attempt, plan, outcomes);
    lowered.exact_turns = is_exact;
    if (std::ranges::all_of(outcomes, &Outcome::is_settled)) break;
  }
  if (!std::ranges::all_of(outcomes, &Outcome::is_settled)) refuse(robot, outcomes, options, observer);
  const auto has_device_form = [](const Outcome& outcome) {
    return std::ranges::any_of(outcome.forms,
                               [](const LoweredFunction& form) { return form.device_form.has_value(); });
  };
  if (options.has_binding("cuda") && std::ranges::none_of(outcomes, has_device_form))
    throw UsageError(
        "--cuda: devices run none of these functions, which take a link, are packed or need routines of the "
        "runtime; ask for others, such as rnea or aba, or leave --cuda out");
  lowered.kinematic_tree = chosen->tree;
  lowered.folded_tree = chosen->folded;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const bool is_plain = outcomes[k].attempt->frames == model::Frames::plain;
    if (is_plain && plan.functions[k].spec->takes_link) lowered.kinematic_tree = plain->tree;
    for (LoweredFunction& form : outcomes[k].forms) lowered.functions.push_back(std::move(form));
  }
  return lowered;
}

Emission emit_lowered(const Robot& robot, const std::string& name, LoweredRobot lowered,
                      const Options& options, const Observer& observer) {
  observer.begin("printing");
  std::vector<std::string> functions = each(lowered.functions, function_name);
  emit::Request request;
  request.name = name;
  request.options = options;
  request.options.build.gravity = robot.tree.gravity;
  request.flags = flags_in_effect(request.options, functions);
  request.model_file = std::filesystem::path(robot.description.file).filename().string();
  request.model_sha256 = robot.description.sha256;
  request.tree = &robot.tree;
  request.tracing_tree = &lowered.kinematic_tree;
  request.folded_tree = lowered.folded_tree ? &*lowered.folded_tree : nullptr;
  request.functions = std::move(lowered.functions);
  emit::Output output = emit::emit(request);
  observer.done("files", output.files);
  return {std::move(output), emit::emitted_name(name), robot.snapped && !lowered.exact_turns};
}

Emission emit_robot(const Robot& robot, const Plan& plan, const Options& options, const Observer& observer) {
  return emit_lowered(robot, plan.name, lower_robot(robot, plan, options, observer), options, observer);
}

Emission emit_robot(const Robot& robot, const Options& options, const Observer& observer) {
  Diagnostics discarded_findings;
  return emit_robot(robot, make_plan(robot, options, discarded_findings), options, observer);
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names{"description", "tree", "canonical", "regrouped"};
  for (std::string& stage : passes::stage_names()) names.push_back(std::move(stage));
  names.emplace_back("files");
  return names;
}

}  // namespace featherline
