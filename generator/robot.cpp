#include "robot.hpp"

#include "algorithms/base_parameters.hpp"
#include "catalog/functions.hpp"
#include "model/build_tree.hpp"
#include "model/joint_dynamics.hpp"
#include "urdf/suspicious_values.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace featherline {
namespace {

/// The tree with exact quarter turns; nothing where it is the same.
std::optional<model::UserTree> snapped_tree(const Robot& robot, const model::BuildOptions& options) {
  Diagnostics said_before;
  model::UserTree snapped = model::build_tree(robot.description, options, said_before);
  for (std::size_t i = 0; i < snapped.bodies.size(); ++i) {
    if (snapped.bodies[i].joint.placement.R != robot.tree.bodies[i].joint.placement.R) return snapped;
  }
  return std::nullopt;
}

void set_joint_dynamics(Robot& robot, const Options::JointDynamicsFile& from, Diagnostics& findings) {
  model::set_joint_dynamics(robot.tree, from.text, from.file, findings);
  Diagnostics said_before;
  if (robot.snapped) model::set_joint_dynamics(*robot.snapped, from.text, from.file, said_before);
}

/// Whether an array of a function that was asked for has this size.
bool needs(const Options& options, catalog::Dimension::Of size) {
  return std::any_of(options.functions.begin(), options.functions.end(), [&](const std::string& name) {
    const catalog::FunctionSpec* function = catalog::find(name);
    return function != nullptr && catalog::has_size(*function, size);
  });
}

/// The moving links that carry no joint; all links, if nothing moves.
std::vector<model::FrameRequest> leaf_links(const Robot& robot) {
  std::set<std::string> carriers;
  for (const urdf::Joint& joint : robot.description.joints) carriers.insert(joint.parent);
  std::vector<model::FrameRequest> moving, all;
  for (const model::Link& link : robot.tree.links) {
    if (carriers.count(link.name) > 0) continue;
    all.push_back({"", link.name, {}, false});
    if (link.body >= 0) moving.push_back(all.back());
  }
  return moving.empty() ? all : moving;
}

/// The frames that the user named, or the ends of the tree if functions need some.
void choose_frames(Robot& robot, const Options& options) {
  const bool are_leaves = options.frames.empty() && (needs(options, catalog::Dimension::Of::num_frames) ||
                                                     needs(options, catalog::Dimension::Of::num_frame_rows));
  const auto requests = are_leaves ? leaf_links(robot) : options.frames;
  robot.tree.frames = model::choose_frames(robot.tree, requests, options.frame_axes);
  robot.tree.frames.are_leaves = are_leaves;
  if (robot.snapped) robot.snapped->frames = robot.tree.frames;
}

}  // namespace

Robot build_robot(urdf::Description description, const Options& options, Diagnostics& findings) {
  urdf::check_angles(description, options.build.snap_tolerance, findings);
  // A tolerance the user asks for changes the robot; the default one applies only where results stay the same.
  const bool by_default = options.build.snap_tolerance == model::BuildOptions::default_snap_tolerance;
  model::BuildOptions as_written = options.build;
  if (by_default) as_written.snap_tolerance = 0.0;
  Robot robot{std::move(description), {}, {}};
  robot.tree = model::build_tree(robot.description, as_written, findings);
  stop_on_errors(findings);
  if (by_default) robot.snapped = snapped_tree(robot, options.build);
  robot.tree.chosen = model::choose_inputs(robot.tree, options.external_forces, options.parameters);
  if (robot.snapped) robot.snapped->chosen = robot.tree.chosen;
  if (options.joint_dynamics_file) set_joint_dynamics(robot, *options.joint_dynamics_file, findings);
  stop_on_errors(findings);
  choose_frames(robot, options);
  if (needs(options, catalog::Dimension::Of::num_base_parameters)) {
    robot.tree.base_parameters = algorithms::find_base_parameters(robot.tree);
    if (robot.snapped) robot.snapped->base_parameters = robot.tree.base_parameters;
  }
  return robot;
}

}  // namespace featherline
