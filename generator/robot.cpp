#include "robot.hpp"

#include "algorithms/whole_body/whole_body.hpp"
#include "catalog/functions.hpp"
#include "description/checks.hpp"
#include "model/build_tree.hpp"
#include "model/chosen_inputs.hpp"
#include "model/clusters.hpp"
#include "model/joint_roles.hpp"
#include "model/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace featherline {
namespace {

void set_joint_dynamics(Robot& robot, const Options::JointDynamicsFile& from, Diagnostics& findings) {
  model::set_joint_dynamics(robot.tree, from.text, from.file, findings);
  Diagnostics discarded_findings;
  if (robot.snapped) model::set_joint_dynamics(*robot.snapped, from.text, from.file, discarded_findings);
}

template <class Predicate>
bool any_function(const Options& options, const Predicate& is_so) {
  return std::ranges::any_of(options.functions, [&](const std::string& name) {
    const catalog::FunctionSpec* function = catalog::find(name);
    return function != nullptr && is_so(*function);
  });
}

bool has_matter(const description::Link& link) {
  return link.inertial && (link.inertial->mass != 0.0 || !link.inertial->inertia.isZero(0.0));
}

/// The moving links that carry no joint; all links, if nothing moves. A link with matter that is merged into a body
/// with further joints is not an end, but a part of this body: a rotor stands on the body that carries its joint. Feet
/// stand on the last body of their leg, and frames of tools have no matter.
std::vector<model::FrameRequest> leaf_links(const Robot& robot) {
  std::set<std::string> carriers;
  for (const description::Joint& joint : robot.description.joints) carriers.insert(joint.parent);
  std::set<int> bodies_with_joints;
  for (const model::Body& body : robot.tree.bodies) bodies_with_joints.insert(body.parent);
  std::vector<model::FrameRequest> moving, all;
  for (std::size_t i = 0; i < robot.tree.links.size(); ++i) {
    const model::Link& link = robot.tree.links[i];
    if (carriers.count(link.name) > 0) continue;
    all.push_back({"", link.name, {}, "", {}, false});
    const bool is_part = bodies_with_joints.count(link.body) > 0 && has_matter(robot.description.links[i]);
    if (link.body >= 0 && !is_part) moving.push_back(all.back());
  }
  return moving.empty() ? all : moving;
}

/// The frames that the user named, or the ends of the tree if functions need some.
model::ChosenFrames chosen_frames(const Robot& robot, const model::UserTree& tree, const Options& options,
                                  double snap_tolerance) {
  const bool are_leaves = options.frames.empty() && any_function(options, catalog::uses_chosen_frames);
  const auto requests = are_leaves ? leaf_links(robot) : options.frames;
  model::ChosenFrames frames = model::choose_frames(tree, requests, options.frame_axes, snap_tolerance);
  frames.are_leaves = are_leaves;
  frames.parts = options.frame_parts;
  return frames;
}

/// Names of contacts are the user's choice, so it is they that have to differ.
void refuse_taken_names(const std::vector<model::Constraint>& contacts,
                        const std::vector<model::Constraint>& of_file) {
  for (const model::Constraint& contact : contacts) {
    for (const model::Constraint& constraint : of_file) {
      if (constraint.name != contact.name) continue;
      throw UsageError(
          fmt::format("--contacts: the constraint on line {} of the robot's file has the name {}, too; "
                      "write NAME=LINK to give the contact another one",
                      constraint.line, in_quotes(contact.name)));
    }
  }
}

/// Contacts, then the constraints of the robot's file.
model::Constraints constraints_of(const Robot& robot, const model::UserTree& tree, const Options& options,
                                  double snap_tolerance, Diagnostics& findings) {
  model::Constraints constraints;
  constraints.all = model::choose_contacts(tree, options.contacts, snap_tolerance);
  std::vector<model::Constraint> of_file =
      model::build_constraints(robot.description, tree, snap_tolerance, findings);
  refuse_taken_names(constraints.all, of_file);
  std::move(of_file.begin(), of_file.end(), std::back_inserter(constraints.all));
  constraints.kp = options.kp;
  constraints.kd = options.kd;
  constraints.number_rows();
  return constraints;
}

/// The same of both trees: it depends on the shape of the robot, not on its quarter turns.
void set_motors(Robot& robot, const Options& options) {
  model::Constraints& constraints = robot.tree.constraints;
  constraints.without_motor =
      model::coordinates_without_motor(robot.description, robot.tree, options.actuated);
  if (const double size = model::robot_size(robot.tree); size > 0.0) constraints.length = size;
  if (!robot.snapped) return;
  robot.snapped->constraints.without_motor = constraints.without_motor;
  robot.snapped->constraints.length = constraints.length;
}

/// The rotations that quarter turns can be in.
std::vector<model::Matrix3> turns(const model::UserTree& tree) {
  std::vector<model::Matrix3> all =
      each(tree.bodies, [&](const model::Body& body) { return body.joint.placement.R; });
  for (const model::ChosenFrame& frame : tree.frames.chosen) all.push_back(frame.placement.R);
  for (const model::Constraint& constraint : tree.constraints.all) {
    for (const model::Anchor& anchor : constraint.anchors) all.push_back(anchor.placement.R);
  }
  return all;
}

/// The tree with exact quarter turns; nothing where it is the same.
std::optional<model::UserTree> snapped_tree(const Robot& robot, const Options& options) {
  Diagnostics discarded_findings;
  model::UserTree snapped = model::build_tree(robot.description, options.build, discarded_findings);
  snapped.integrator = options.integrator;
  snapped.frames = chosen_frames(robot, snapped, options, options.build.snap_tolerance);
  snapped.constraints =
      constraints_of(robot, snapped, options, options.build.snap_tolerance, discarded_findings);
  model::eliminate_loops(robot.description, options.eliminate, snapped, discarded_findings);
  return turns(snapped) == turns(robot.tree) ? std::nullopt : std::optional(std::move(snapped));
}

}  // namespace

Robot build_robot(description::Description description, const Options& options, Diagnostics& findings) {
  description::check_angles(description, options.build.snap_tolerance, findings);
  // A tolerance the user asks for changes the robot; the default one applies only where results stay the same.
  const bool by_default = options.build.snap_tolerance == model::BuildOptions::default_snap_tolerance;
  model::BuildOptions as_written = options.build;
  if (by_default) as_written.snap_tolerance = 0.0;
  Robot robot{std::move(description), {}, {}};
  robot.tree = model::build_tree(robot.description, as_written, findings);
  stop_on_errors(findings);
  if (const model::Joint* free = model::free_joint(robot.tree); free != nullptr && robot.tree.floating_base)
    throw UsageError("--base floating: joint " + in_quotes(free->name) +
                     " of the robot's file moves freely already; leave it out");
  robot.tree.frames = chosen_frames(robot, robot.tree, options, as_written.snap_tolerance);
  robot.tree.constraints = constraints_of(robot, robot.tree, options, as_written.snap_tolerance, findings);
  stop_on_errors(findings);
  model::eliminate_loops(robot.description, options.eliminate, robot.tree, findings);
  stop_on_errors(findings);
  robot.tree.integrator = options.integrator;
  if (by_default) robot.snapped = snapped_tree(robot, options);
  set_motors(robot, options);
  if (options.joint_dynamics_file) set_joint_dynamics(robot, *options.joint_dynamics_file, findings);
  stop_on_errors(findings);
  robot.tree.constraints.joints = model::choose_contact_joints(robot.tree, options.contact_joints);
  if (robot.snapped) robot.snapped->constraints.joints = robot.tree.constraints.joints;
  robot.tree.chosen = model::choose_inputs(robot.tree, options.external_forces, options.parameters);
  if (robot.snapped) robot.snapped->chosen = robot.tree.chosen;
  robot.tree.joint_columns = model::choose_joint_columns(robot.tree, options.regressor_columns);
  if (robot.snapped) robot.snapped->joint_columns = robot.tree.joint_columns;
  if (robot.tree.chosen.payloads.empty()) {  // no force lifts payloads
    model::share_lift(robot.tree);
    if (robot.snapped) model::share_lift(*robot.snapped);
  }
  const bool needs_base = any_function(options, [](const catalog::FunctionSpec& function) {
    return catalog::has_size(function, catalog::num_base_parameters);
  });
  if (needs_base) {
    robot.tree.base_parameters = algorithms::find_base_parameters(robot.tree);
    if (robot.snapped) robot.snapped->base_parameters = robot.tree.base_parameters;
  }
  return robot;
}

}  // namespace featherline
