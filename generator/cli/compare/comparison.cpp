#include "cli/compare/comparison.hpp"

#include "cli/output_files.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "selection/function_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {
namespace {

/// Flops of a kernel that is not scheduled yet.
int count_flops(const ir::Kernel& kernel, cost::Target target) {
  int flops = ir::count_cost(kernel).flops;
  for (const ir::Call* call : kernel.calls()) {
    if (call->walk) flops += cost::link_walk_figures(*call, target).flops;
  }
  return flops;
}

struct Comparing {
  const Robot& robot;
  const Plan& all;
  const Options& options;
  const Observer& observer;
  bool keep_code;
  Comparison comparison = {};

  void run() {
    LoweredRobot chosen = lower_robot(robot, all, options, observer);
    comparison.exact_turns = chosen.exact_turns;
    comparison.trees =
        trees_in_chosen_frames(chosen.exact_turns ? *robot.snapped : robot.tree, with_all_lanes(), observer);
    for (std::size_t k = 0; k < all.functions.size(); ++k) add(all.functions[k], chosen.functions.at(k));
  }

  /// Formulations in lanes are compared even where they are not candidates.
  Plan with_all_lanes() const {
    Plan plan = all;
    for (const FunctionPlan& function : plan.functions) {
      for (const catalog::Formulation& f : function.spec->formulations)
        plan.lanes = plan.lanes || (f.in_lanes() && why_not(f, *function.spec, robot.tree, options).empty());
    }
    return plan;
  }

  const ChosenTrees& trees(bool plain) {
    if (!plain) return comparison.trees;
    if (!comparison.plain_trees)
      comparison.plain_trees = trees_in_plain_frames(robot.tree, comparison.trees.folded.has_value());
    return *comparison.plain_trees;
  }

  void add(const FunctionPlan& plan, LoweredFunction& chosen) {
    ComparedFunction function{function_name(chosen), plan.spec};
    for (const catalog::Formulation& formulation : plan.spec->formulations) {
      ComparedFormulation& row = function.formulations.emplace_back(ComparedFormulation{&formulation});
      const std::string& name = chosen.kernel.formulation;
      row.chosen = name == formulation.name || name == formulation.name + plain_frames_mark;
      if (row.chosen) {
        row.in_plain_frames = chosen.kernel.formulation != formulation.name;
        count_written(row, plan);
        finish(row, std::move(chosen));
      } else {
        compare(row, plan);
      }
    }
    comparison.functions.push_back(std::move(function));
  }

  void compare(ComparedFormulation& row, const FunctionPlan& plan) {
    row.left_out = reason_to_leave_out(*row.formulation, plan);
    if (!row.is_compared()) return;
    observer.begin(plan.spec->name + ": " + row.formulation->name);
    if (count_written(row, plan) > large_graph) {
      row.left_out = fmt::format("its graph has more than {} nodes", large_graph);
      return;
    }
    LoweredFunction request = lowered(row, plan);
    if (request.error && *request.error > reference::promised_error) {
      row.in_plain_frames = true;
      LoweredFunction plain = lowered(row, plan);
      row.in_plain_frames = *plain.error < *request.error;
      if (row.in_plain_frames) request = std::move(plain);
      count_written(row, plan);
    }
    finish(row, std::move(request));
  }

  std::string reason_to_leave_out(const catalog::Formulation& formulation, const FunctionPlan& plan) const {
    const std::string reason = why_not(formulation, *plan.spec, robot.tree, options);
    if (!reason.empty()) return reason;
    if (!plan.dense && formulation.in_loops()) return "it has no packed form";
    if (!is_too_large(*plan.spec, formulation, robot.tree, !plan.dense)) return {};
    return fmt::format("it is too large to unroll: about {:.0f} flops; the limit is {:.0f}",
                       catalog::unrolled_flops(*plan.spec, formulation, robot.tree),
                       plan.dense ? max_unrolled_flops : max_packed_flops);
  }

  /// Counts the operations as written and those before the passes. Returns the nodes of the graph.
  ir::NodeId count_written(ComparedFormulation& row, const FunctionPlan& plan) {
    const ChosenTrees& on = trees(row.in_plain_frames);
    const ir::Operations before = ir::source_operations();
    const ir::Kernel kernel = trace(*plan.spec, *row.formulation, on);
    if (kernel.calls().empty()) row.written = ir::source_operations() - before;
    row.flops_before = count_flops(kernel, options.estimated_target());
    return kernel.graph.size();
  }

  LoweredFunction lowered(const ComparedFormulation& row, FunctionPlan plan) {
    plan.candidates = {row.formulation};
    plan.shorter.clear();
    LoweredForms function = lower(plan, trees(row.in_plain_frames), options, observer);
    if (options.verify) judge(function, robot.tree);
    return std::move(function.front());
  }

  void finish(ComparedFormulation& row, LoweredFunction request) const {
    row.figures = cost::estimate(request.kernel, options.estimated_target(), options.flash_wait_states);
    row.error = request.error;
    if (keep_code) row.request = std::move(request);
  }
};

/// The comparison of one robot, as text of the format.
std::string compare_one(const CommandLine& given, FindingsLog& log) {
  Progress progress;
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.model, given.options, findings);
  CommandLine line = with_choices(given, robot, findings);
  const std::vector<std::string> all = line.options.functions;
  std::erase_if(line.options.functions, [&](const std::string& name) {  // packed, but compared in dense form
    const std::string& dense = catalog::find(name)->name;
    return name != dense && std::ranges::find(all, dense) != all.end();
  });
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  Comparison comparison = compare_formulations(robot, plan, line.options, progress.observer(), line.measure);
  if (line.measure) measure(comparison, robot, line, progress);
  return line.format == CommandLine::Format::json ? print_json(comparison_json(comparison, robot, line))
                                                  : comparison_text(comparison, robot, line);
}

}  // namespace

const ComparedFormulation& ComparedFunction::chosen() const {
  return *std::ranges::find_if(formulations, [](const auto& f) { return f.chosen; });
}

Comparison compare_formulations(const Robot& robot, const Plan& plan, const Options& options,
                                const Observer& observer, bool keep_code) {
  Comparing comparing{robot, plan, options, observer, keep_code};
  comparing.run();
  return std::move(comparing.comparison);
}

void measure(Comparison& comparison, const Robot& robot, const CommandLine& line, Progress& progress) {
  std::vector<emit::File> files;
  std::vector<TimedCall> calls;
  std::vector<ComparedFormulation*> rows;
  for (std::size_t f = 0; f < comparison.functions.size(); ++f) {
    for (ComparedFormulation& row : comparison.functions[f].formulations) {
      if (!row.is_compared()) continue;
      const ChosenTrees& trees = row.in_plain_frames ? *comparison.plain_trees : comparison.trees;
      Emission emission =
          emit_lowered(robot, fmt::format("compare_{}", rows.size()),
                       {{row.request}, trees.tree, trees.folded, comparison.exact_turns}, line.options);
      std::move(emission.files.begin(), emission.files.end(), std::back_inserter(files));
      calls.push_back({comparison.functions[f].spec, emission.name, comparison.functions[f].name, f});
      rows.push_back(&row);
    }
  }
  const TemporaryFolder folder;
  const std::vector<Timing> timings = time_calls(robot.tree, line, folder.path(), files, calls, progress);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k]->timing = timings[k];
}

bool compare(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return print_each(line, out, log, compare_one);
}

}  // namespace featherline::cli
