#include "selection/choose.hpp"

#include "model/build_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline {

std::vector<FunctionPlan> plans_of(const Attempt& attempt, const FunctionPlan& plan) {
  if (attempt.candidates == Candidates::best) return {plan};
  if (plan.candidates.size() + plan.shorter.size() < 2) return {};
  std::vector<FunctionPlan> plans;
  for (const catalog::Formulation* formulation : plan.candidates) {
    plans.push_back(plan);
    plans.back().candidates = {formulation};
    plans.back().shorter.clear();
  }
  return plans;
}

std::vector<std::size_t> open_functions(const Plan& plan, const std::vector<Outcome>& outcomes,
                                        bool ordered) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!outcomes[k].is_settled) open.push_back(k);
  }
  const auto entries = [&](std::size_t k) { return plan.functions[k].output_entries; };
  if (!ordered) std::ranges::stable_sort(open, std::greater(), entries);
  return open;
}

void settle(const Attempt& attempt, const Plan& plan, std::vector<Outcome>& outcomes) {
  const auto stands_alone = [&](std::size_t k) {
    return attempt.together == Together::none ||
           (attempt.together == Together::with_link && !plan.functions[k].spec->takes_link);
  };
  bool all_agree = true;
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    all_agree = all_agree && (stands_alone(k) || outcomes[k].agrees());
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    outcomes[k].is_settled = outcomes[k].agrees() && (all_agree || stands_alone(k));
}

namespace {

/// For larger robots the search would take minutes.
constexpr std::size_t most_joints = 60;

/// The robot with one of its joints welded; nothing if that leaves no robot.
std::optional<model::UserTree> with_fixed(const Robot& robot, const std::string& joint,
                                          model::BuildOptions options) {
  description::Description description = robot.description;
  for (description::Joint& candidate : description.joints) {
    if (candidate.name == joint) candidate.type = model::JointType::fixed;
    if (candidate.mimic && candidate.mimic->joint == joint) candidate.mimic.reset();
  }
  options.joint_order.reset();
  if (robot.snapped) options.snap_tolerance = 0.0;  // robot.tree has the angles as written
  Diagnostics discarded_findings;
  model::UserTree tree = model::build_tree(description, options, discarded_findings);
  if (discarded_findings.has_errors() || tree.bodies.empty()) return std::nullopt;
  for (model::Body& body : tree.bodies) {
    for (const model::Body& original : robot.tree.bodies) {
      if (original.joint.name != body.joint.name) continue;
      body.joint.damping = original.joint.damping;
      body.joint.friction = original.joint.friction;
      body.joint.armature = original.joint.armature;
      body.joint.stiffness = original.joint.stiffness;
      body.joint.rest = original.joint.rest;
    }
  }
  return tree;
}

std::vector<const model::Joint*> find_causes(const Robot& robot, const model::BuildOptions& options,
                                             const std::function<bool(const model::UserTree&)>& agrees,
                                             const Observer& observer) {
  std::vector<const model::Joint*> causes;
  if (robot.tree.bodies.size() > most_joints) return causes;
  for (const model::Body& body : robot.tree.bodies) {
    if (body.joint.line == 0) continue;  // the floating base
    observer.begin("looking for the cause: joint " + body.joint.name);
    try {
      const std::optional<model::UserTree> tree = with_fixed(robot, body.joint.name, options);
      if (tree && tree->nv > 0 && agrees(*tree)) causes.push_back(&body.joint);
    } catch (const std::exception&) {  // it cannot be emitted either, so this joint is not the cause
    }
  }
  return causes;
}

/// The joint that owns the row of an entry such as "da_dq[17]". Blocks of a Hessian and entries of a link's pose have
/// none.
const model::Joint* joint_of_entry(const model::UserTree& tree, const catalog::FunctionSpec& function,
                                   const std::string& entry) {
  const std::size_t bracket = entry.find('[');
  if (bracket == std::string::npos || function.takes_link) return nullptr;
  for (const catalog::Argument& output : function.outputs) {
    if (output.name == entry.substr(0, bracket) && output.shape.sides().front() != catalog::nv)
      return nullptr;
  }
  const int index = std::atoi(entry.c_str() + bracket + 1);
  for (const model::Body& body : tree.bodies) {
    if (index >= body.joint.idx_v && index < body.joint.idx_v + body.joint.nv) return &body.joint;
  }
  return nullptr;
}

/// What is known about the cause, for the message.
std::string describe_cause(const FunctionPlan& function, const std::string& worst_entry,
                           const std::vector<const model::Joint*>& causes, const model::Joint* place) {
  if (causes.empty()) {
    const std::string joint = place == nullptr ? "" : " of joint " + in_quotes(place->name);
    return "no single joint causes it; worst is " + worst_entry + joint;
  }
  std::vector<std::string> names = each(causes, [&](const model::Joint* joint) { return joint->name; });
  return fmt::format("{} agrees when {} {} is fixed", function.spec->name,
                     names.size() == 1 ? "joint" : "any one of the joints", quoted_list(names));
}

}  // namespace

void refuse_disagreement(const Robot& robot, const std::vector<Outcome>& outcomes,
                         const model::BuildOptions& options,
                         const std::function<bool(const model::UserTree&)>& agrees,
                         const Observer& observer) {
  std::vector<std::string> errors;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.is_settled)
      errors.push_back(fmt::format("{} ({:.1e})", outcome.function->spec->name,
                                   outcome.first_disagreement.value().relative));
  }
  const Outcome& first = *std::ranges::find(outcomes, false, &Outcome::is_settled);
  const std::string& entry = first.first_disagreement->entry;
  const std::vector<const model::Joint*> causes = find_causes(robot, options, agrees, observer);
  const model::Joint* place =
      causes.empty() ? joint_of_entry(robot.tree, *first.function->spec, entry) : causes.front();
  const Location where = place == nullptr
                             ? Location{robot.description.file, 0, "robot"}
                             : Location{place->file, place->line, "robot/joint " + in_quotes(place->name)};
  Diagnostics findings;
  findings.error(
      where,
      fmt::format("no formulation of these functions agrees with the reference solver to {:.0e}: {}; {}",
                  reference::promised_error, fmt::join(errors, ", "),
                  describe_cause(*first.function, entry, causes, place)),
      "look for masses, inertias and lengths there that differ by many orders of magnitude from their "
      "neighbours', leave these functions out (--functions), or take them as they are with --no-verify");
  throw InputError(findings);
}

}  // namespace featherline
