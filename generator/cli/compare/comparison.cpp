#include "cli/compare/comparison.hpp"

#include "cli/output_files.hpp"
#include "cli/tune/choices.hpp"
#include "reference/error.hpp"
#include "selection/choose.hpp"
#include "selection/function_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {
namespace {

bool is_formulation(const ir::Kernel& kernel, const catalog::Formulation& formulation) {
  return kernel.formulation == formulation.name || kernel.formulation == formulation.name + plain_frames_mark;
}

/// Flops of a kernel that is not scheduled yet.
int count_flops(const ir::Kernel& kernel, cost::Target target) {
  for (const ir::Call* call : kernel.calls()) {
    if (call->walk) return cost::link_walk_figures(*call, target).flops;
  }
  return ir::count_cost(kernel).flops;
}

class Comparing {
 public:
  Comparing(const Robot& robot, const Plan& plan, const Options& options, const Observer& observer,
            bool keep_code)
      : robot_(robot), plan_(plan), options_(options), observer_(observer), keep_code_(keep_code) {}

  Comparison run() {
    LoweredRobot chosen = lower_robot(robot_, plan_, options_, observer_);
    comparison_.exact_turns = chosen.exact_turns;
    comparison_.trees = trees_in_chosen_frames(user(), with_all_lanes(), observer_);
    for (std::size_t k = 0; k < plan_.functions.size(); ++k) add(plan_.functions[k], chosen.functions.at(k));
    return std::move(comparison_);
  }

 private:
  const model::UserTree& user() const { return comparison_.exact_turns ? *robot_.snapped : robot_.tree; }

  /// Formulations in lanes may be no candidates, but are compared.
  Plan with_all_lanes() const {
    Plan plan = plan_;
    for (const FunctionPlan& function : plan.functions) {
      for (const catalog::Formulation& f : function.spec->formulations)
        plan.lanes =
            plan.lanes || (f.in_lanes() && why_not(f, *function.spec, robot_.tree, options_).empty());
    }
    return plan;
  }

  const ChosenTrees& trees(bool plain) {
    if (!plain) return comparison_.trees;
    if (!comparison_.plain_trees)
      comparison_.plain_trees = trees_in_plain_frames(robot_.tree, comparison_.trees.folded.has_value());
    return *comparison_.plain_trees;
  }

  void add(const FunctionPlan& plan, LoweredFunction& chosen) {
    ComparedFunction function{function_name(chosen), plan.spec};
    for (const catalog::Formulation& formulation : plan.spec->formulations) {
      if (is_formulation(chosen.kernel, formulation))
        function.formulations.push_back(compare_chosen(plan, formulation, std::move(chosen)));
      else
        function.formulations.push_back(compare(plan, formulation));
    }
    comparison_.functions.push_back(std::move(function));
  }

  ComparedFormulation compare_chosen(const FunctionPlan& plan, const catalog::Formulation& formulation,
                                     LoweredFunction request) {
    ComparedFormulation row{&formulation};
    row.chosen = true;
    row.in_plain_frames = request.kernel.formulation != formulation.name;
    count_written(row, plan);
    finish(row, std::move(request));
    return row;
  }

  ComparedFormulation compare(const FunctionPlan& plan, const catalog::Formulation& formulation) {
    ComparedFormulation row{&formulation};
    row.left_out = reason_to_leave_out(formulation, plan);
    if (!row.is_compared()) return row;
    observer_.begin(plan.spec->name + ": " + formulation.name);
    if (count_written(row, plan) > large_graph) {
      row.left_out = fmt::format("its graph has more than {} nodes", large_graph);
      return row;
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
    return row;
  }

  std::string reason_to_leave_out(const catalog::Formulation& formulation, const FunctionPlan& plan) const {
    const std::string reason = why_not(formulation, *plan.spec, robot_.tree, options_);
    if (!reason.empty()) return reason;
    if (!plan.dense && formulation.in_loops()) return "it has no packed form";
    if (!is_too_large(*plan.spec, formulation, robot_.tree, !plan.dense)) return {};
    return fmt::format("it is too large to unroll: about {:.0f} flops; the limit is {:.0f}",
                       catalog::unrolled_flops(*plan.spec, formulation, robot_.tree),
                       plan.dense ? max_unrolled_flops : max_packed_flops);
  }

  /// Counts the operations as written and those before the passes. Returns the nodes of the graph.
  ir::NodeId count_written(ComparedFormulation& row, const FunctionPlan& plan) {
    const ChosenTrees& on = trees(row.in_plain_frames);
    const ir::Operations before = ir::source_operations();
    const ir::Kernel kernel = trace(*plan.spec, *row.formulation, on);
    if (kernel.calls().empty()) row.written = ir::source_operations() - before;
    row.flops_before = count_flops(kernel, options_.estimated_target());
    return kernel.graph.size();
  }

  LoweredFunction lowered(const ComparedFormulation& row, FunctionPlan plan) {
    plan.candidates = {row.formulation};
    plan.shorter.clear();
    LoweredForms function = lower(plan, trees(row.in_plain_frames), options_, observer_);
    if (options_.verify) judge(function, robot_.tree);
    return std::move(function.front());
  }

  void finish(ComparedFormulation& row, LoweredFunction request) const {
    row.simplified = ir::count_operations(request.kernel);
    row.figures = cost::estimate(request.kernel, options_.estimated_target());
    row.error = request.error;
    if (keep_code_) row.request = std::move(request);
  }

  const Robot& robot_;
  const Plan& plan_;
  const Options& options_;
  const Observer& observer_;
  bool keep_code_;
  Comparison comparison_;
};

}  // namespace

const ComparedFormulation& ComparedFunction::chosen() const {
  const auto found =
      std::find_if(formulations.begin(), formulations.end(), [](const auto& f) { return f.chosen; });
  if (found == formulations.end()) throw InternalError("no formulation of " + name + " is chosen");
  return *found;
}

Comparison compare_formulations(const Robot& robot, const Plan& plan, const Options& options,
                                const Observer& observer, bool keep_code) {
  return Comparing(robot, plan, options, observer, keep_code).run();
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

namespace {

/// Without the packed forms of functions that are compared in dense form.
std::vector<std::string> in_one_form(std::vector<std::string> functions) {
  const std::vector<std::string> all = functions;
  std::erase_if(functions, [&](const std::string& name) {
    const std::string& dense = catalog::find(name)->name;
    return name != dense && std::find(all.begin(), all.end(), dense) != all.end();
  });
  return functions;
}

/// The comparison of one robot, as text of the format.
std::string compare_one(const CommandLine& given, FindingsLog& log) {
  Progress progress;
  Diagnostics findings(given.accepted);
  const Robot robot = read_robot(given.urdf, given.options, findings);
  CommandLine line = with_choices(given, robot, findings);
  line.options.functions = in_one_form(line.options.functions);
  const Plan plan = make_plan(robot, line.options, findings);
  settle_findings(line, findings, log);
  Comparison comparison = compare_formulations(robot, plan, line.options, progress.observer(), line.measure);
  if (line.measure) measure(comparison, robot, line, progress);
  switch (line.format) {
    case CommandLine::Format::json:
      return print_json(comparison_json(comparison, robot, line));
    case CommandLine::Format::markdown:
      return comparison_markdown(comparison, robot, line);
    default:
      return comparison_text(comparison, robot, line);
  }
}

}  // namespace

bool compare(const CommandLine& line, std::ostream& out, FindingsLog& log) {
  return print_each(line, out, log, compare_one);
}

}  // namespace featherline::cli
