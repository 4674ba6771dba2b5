#include "pipeline.hpp"

#include "algorithms/first_derivatives.hpp"
#include "catalog/functions.hpp"
#include "dump.hpp"
#include "lowering.hpp"
#include "model/canonical.hpp"
#include "model/regroup.hpp"
#include "quarter_turns.hpp"
#include "urdf/reader.hpp"
#include "verified_lowering.hpp"

#include <algorithm>
#include <filesystem>

// Read this file first: it names the stages in the order they run.
//
//   URDF -> Description -> UserTree                                      read_robot
//        -> UserTree with or without exact quarter turns                 emitted_tree
//        -> CanonicalTree -> the same with inertias regrouped            tracing_tree
//        -> per function: graphs of all formulations -> passes -> the cheapest -> Program     lowering.cpp
//                         judged by the reference solver, traced again where it is wrong      verified_lowering.cpp
//        -> text of the files

namespace featherline {
namespace {

void stop_on_errors(const Diagnostics& findings) {
  if (findings.has_errors()) throw InputError(findings);
}

/// "arm.urdf" of "/home/me/arm.urdf": emitted files hold no paths.
std::string file_name(const std::string& urdf) {
  return urdf == "-" ? "standard input" : std::filesystem::path(urdf).filename().string();
}

emit::Request begin_request(const Robot& robot, const EmitOptions& options) {
  emit::Request request;
  request.name = options.name.empty() ? robot.description.name : options.name;
  request.scalars = options.scalars;
  if (options.c_interface) request.bindings.insert("c-api");
  if (options.batch) request.bindings.insert("batch");
  request.target = target_of(options);
  request.options = options.in_effect;
  request.urdf_file = file_name(robot.description.file);
  request.urdf_sha256 = robot.description.sha256;
  request.tree = &robot.tree;
  return request;
}

/// Whether a function in common frames is asked for: choosing them takes a while.
bool needs_common_frames(const std::vector<std::string>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const std::string& name) {
    const catalog::FunctionSpec* function = catalog::find(name);
    return function != nullptr && function->uses_common_frames;
  });
}

/// The tree with exact quarter turns; nothing where it is the same.
std::optional<model::UserTree> snapped_tree(const Robot& robot, const model::BuildOptions& options) {
  Diagnostics said_before;
  model::UserTree snapped = model::build_tree(robot.description, options, said_before);
  for (std::size_t i = 0; i < snapped.bodies.size(); ++i) {
    if (snapped.bodies[i].joint.placement.R != robot.tree.bodies[i].joint.placement.R) return snapped;
  }
  return std::nullopt;
}

/// A C header of that name would be found instead of the system's by everybody who has its folder in the path.
void check_c_header(const std::string& name) {
  if (!emit::hides_system_header(name)) return;
  throw UsageError("--c-api: " + name + ".h would hide the system header <" + name +
                   ".h>; choose another --name");
}

std::string all_text(const std::vector<emit::File>& files) {
  std::string text;
  for (const emit::File& file : files) text += "==== " + file.relative_name + "\n" + file.content;
  return text;
}

}  // namespace

Robot read_robot(const std::string& urdf, const model::BuildOptions& options, Diagnostics& findings,
                 const Observer& observer) {
  Robot robot;
  robot.options = options;
  robot.description = urdf::read_file(urdf, findings);
  stop_on_errors(findings);
  observer.done("description", [&] { return dump(robot.description); });

  // A tolerance the user asks for changes the robot; the default one applies only where results stay the same.
  const bool by_default = options.snap_tolerance == model::BuildOptions::default_snap_tolerance;
  model::BuildOptions as_written = options;
  if (by_default) as_written.snap_tolerance = 0.0;
  robot.tree = model::build_tree(robot.description, as_written, findings);
  stop_on_errors(findings);
  if (by_default) robot.snapped = snapped_tree(robot, options);
  observer.done("tree", [&] { return dump(robot.tree); });
  return robot;
}

const model::UserTree& emitted_tree(const Robot& robot) {
  return robot.snapped && may_be_exact(*robot.snapped, robot.tree) ? *robot.snapped : robot.tree;
}

model::CanonicalTree tracing_tree(const model::UserTree& tree, const std::vector<std::string>& functions,
                                  const Observer& observer) {
  const model::CanonicalTree canonical = model::canonicalise(tree);
  observer.done("canonical", [&] { return dump(canonical); });

  model::CanonicalTree regrouped = model::regroup_inertias(canonical);
  if (needs_common_frames(functions)) {
    observer.begin("choosing frames");
    regrouped.frame_roots = algorithms::choose_frame_roots(regrouped);
  }
  observer.done("regrouped", [&] { return dump(regrouped); });
  return regrouped;
}

model::CanonicalTree plain_tracing_tree(const model::UserTree& tree) {
  return model::regroup_inertias(model::canonicalise(tree, model::Frames::plain));
}

Emission emit_robot(const Robot& robot, const EmitOptions& options, const Observer& observer) {
  if (options.c_interface)
    check_c_header(emit::emitted_name(options.name.empty() ? robot.description.name : options.name));
  LoweredRobot lowered = lower_verified(robot, options, observer);
  emit::Request request = begin_request(robot, options);
  request.tracing_tree = &lowered.kinematic_tree;
  request.functions = std::move(lowered.functions);
  request.pose_steps = std::move(lowered.pose_steps);

  observer.begin("printing");
  emit::Output output = emit::emit(request);
  Emission emission{emit::emitted_name(request.name), std::move(output.files), std::move(output.facts),
                    output.image_bytes, robot.snapped && !lowered.exact_turns};
  observer.done("files", [&] { return all_text(emission.files); });
  return emission;
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names{"description", "tree", "canonical", "regrouped"};
  const std::vector<std::string> lowering = lowering_stage_names();
  names.insert(names.end(), lowering.begin(), lowering.end());
  names.push_back("files");
  return names;
}

}  // namespace featherline
