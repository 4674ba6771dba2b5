#include "pipeline.hpp"

#include "emit/identifiers.hpp"
#include "selection/lower.hpp"
#include "selection/quarter_turns.hpp"
#include "urdf/reader.hpp"

#include <filesystem>
#include <utility>

// Read this file first: it is the whole run, from top to bottom.
//
//   read          URDF -> Description                         urdf/
//   lock          joints become fixed (--lock)                model/locked_joints.cpp
//   build         Description -> Robot                        robot.cpp, model/build_tree.cpp
//   plan          Robot, Options -> Plan                      selection/function_plan.cpp
//   canonicalise  user's tree -> tree in chosen frames        selection/lower.cpp, model/canonical.cpp
//   trace         FunctionPlan, tree -> a graph each          selection/lower.cpp, algorithms/
//   simplify      graph -> graph                              passes/
//   choose        graphs -> the best for Options::goal()      selection/lower.cpp, best.cpp
//   schedule      graph -> Kernel of steps                    passes/schedule.cpp
//   verify        Kernel -> its error, and what to try next   selection/verified.cpp, verify/
//   emit          kernels -> files                           emit/

namespace featherline {

Robot read_robot(const std::string& urdf, const Options& options, Diagnostics& findings,
                 const Observer& observer) {
  const auto unknown =
      options.allow_unknown_attributes ? urdf::UnknownWords::ignored : urdf::UnknownWords::refused;
  urdf::Description description = urdf::read_file(urdf, findings, unknown);
  stop_on_errors(findings);
  observer.done("description", [&] { return urdf::dump(description); });

  const model::BuildOptions& build = options.build;
  model::lock_joints(description, build.locked, !build.mimic_independent, build.floating_base, findings);
  Robot robot = build_robot(std::move(description), options, findings);
  observer.done("tree", [&] { return model::dump(robot.tree); });
  return robot;
}

LoweredRobot lower_robot(const Robot& robot, const Plan& plan, const Options& options,
                         const Observer& observer) {
  if (may_snap_quarter_turns(robot)) {
    const ChosenTrees exact = trees_in_chosen_frames(*robot.snapped, plan, observer);
    if (auto lowered = lower_with_exact_turns(robot, exact, plan, options, observer))
      return *std::move(lowered);
  }
  const ChosenTrees as_written = trees_in_chosen_frames(robot.tree, plan, observer);
  return lower_as_written(robot, as_written, plan, options, observer);
}

Emission emit_lowered(const Robot& robot, const std::string& name, LoweredRobot lowered,
                      const Options& options, const Observer& observer) {
  observer.begin("printing");
  std::vector<std::string> functions;
  for (const LoweredFunction& function : lowered.functions) functions.push_back(function_name(function));
  emit::Request request;
  request.name = name;
  request.options = options;
  request.flags = flags_in_effect(options, functions);
  request.urdf_file = std::filesystem::path(robot.description.file).filename().string();
  request.urdf_sha256 = robot.description.sha256;
  request.tree = &robot.tree;
  request.tracing_tree = &lowered.kinematic_tree;
  request.folded_tree = lowered.folded_tree ? &*lowered.folded_tree : nullptr;
  request.functions = std::move(lowered.functions);
  emit::Output output = emit::emit(request);
  observer.done("files", [&] { return emit::dump(output.files); });
  return {emit::emitted_name(name), std::move(output.files), std::move(output.facts), output.image_bytes,
          robot.snapped && !lowered.exact_turns};
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
  for (std::string& stage : lowering_stage_names()) names.push_back(std::move(stage));
  names.emplace_back("files");
  return names;
}

}  // namespace featherline
