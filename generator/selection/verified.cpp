#include "selection/verified.hpp"

#include "model/build_tree.hpp"
#include "reference/error.hpp"
#include "selection/lower.hpp"
#include "support/side_by_side.hpp"
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <utility>

namespace featherline {
namespace {

/// A function as lowered in the frames of one tree, and its worst error.
struct Attempt {
  LoweredForms function;
  bool in_plain_frames = false;
  reference::OutputError worst = {};
  reference::OutputError in_chosen_frames = {};  ///< if that was tried before

  bool agrees() const { return worst.relative <= reference::promised_error; }
};

/// The plan itself. If it has several candidates, a plan with each candidate alone follows.
std::vector<FunctionPlan> alternatives(const FunctionPlan& plan) {
  std::vector<FunctionPlan> choices{plan};
  if (plan.candidates.size() + plan.shorter.size() < 2) return choices;
  for (const catalog::Formulation* formulation : plan.candidates) {
    choices.push_back(plan);
    choices.back().candidates = {formulation};
    choices.back().shorter.clear();
  }
  return choices;
}

class VerifiedLowering {
 public:
  /// `chosen`: in chosen frames.
  VerifiedLowering(const Robot& robot, const ChosenTrees& chosen, const Options& options,
                   const Observer& observer)
      : robot_(robot),
        chosen_(chosen),
        options_(options),
        observer_(observer),
        jobs_(observer.needs_order() ? 1 : options.jobs) {
    observer_.progress = [this, show = observer.progress](const std::string& what) {
      const std::lock_guard<std::mutex> lock(progress_);
      if (show) show(what);
    };
  }

  /// Returns nothing if a function disagrees in chosen frames.
  std::optional<LoweredRobot> all_or_nothing(const Plan& plan) const {
    std::vector<Attempt> attempts(plan.functions.size());
    std::atomic<bool> agree{true};
    for_each_function(plan, [&](std::size_t k) {
      if (!agree) return;
      attempts[k] = try_once(plan.functions[k], chosen_);
      if (!attempts[k].agrees()) agree = false;
    });
    if (!agree) return std::nullopt;
    LoweredRobot lowered;
    for (Attempt& attempt : attempts) add(lowered, std::move(attempt.function));
    lowered.kinematic_tree = chosen_.tree;
    lowered.folded_tree = chosen_.folded;
    return lowered;
  }

  /// For each function, takes the first attempt that agrees.
  LoweredRobot one_by_one(const Plan& plan) {
    std::vector<Attempt> attempts(plan.functions.size());
    for_each_function(plan, [&](std::size_t k) { attempts[k] = first_that_agrees(plan.functions[k]); });
    for (std::size_t k = 0; k < attempts.size(); ++k) note_failure(plan.functions[k], attempts[k]);
    const bool plain_kinematics = share_frames_of_walks(plan, attempts);
    if (!failures_.empty()) refuse_disagreement(robot_, failures_, options_, observer_);
    LoweredRobot lowered;
    for (Attempt& attempt : attempts) add(lowered, std::move(attempt.function));
    lowered.kinematic_tree = plain_kinematics ? plain_trees().tree : chosen_.tree;
    lowered.folded_tree = chosen_.folded;
    return lowered;
  }

 private:
  /// Those with the most outputs first, so that none of the long ones is left for the end: a humanoid's functions take
  /// 0.59 of the time of one thread in two, and 0.65 in the order of the catalogue.
  void for_each_function(const Plan& plan, const std::function<void(std::size_t)>& work) const {
    const catalog::Sizes sizes = catalog::sizes_of(robot_.tree);
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t k = 0; k < plan.functions.size(); ++k) {
      std::int64_t entries = 0;
      for (const catalog::Argument& output : plan.functions[k].spec->outputs)
        entries += output.shape.size(sizes);
      order.emplace_back(-entries, k);
    }
    if (jobs_ > 1) std::sort(order.begin(), order.end());
    side_by_side(jobs_, order.size(), [&](std::size_t k) { work(order[k].second); });
  }

  static void add(LoweredRobot& lowered, LoweredForms function) {
    for (LoweredFunction& form : function) lowered.functions.push_back(std::move(form));
  }

  Attempt try_once(const FunctionPlan& plan, const ChosenTrees& trees) const {
    Attempt attempt{lower(plan, trees, options_, observer_)};
    if (!options_.verify) return attempt;
    observer_.begin(plan.spec->name + ": verifying");
    attempt.worst = judge(attempt.function, robot_.tree);
    return attempt;
  }

  Attempt first_that_agrees(const FunctionPlan& plan) {
    Attempt attempt = try_once(plan, chosen_);
    if (attempt.agrees()) return attempt;
    const reference::OutputError in_chosen_frames = attempt.worst;
    attempt = first_in_plain_frames(plan);
    attempt.in_chosen_frames = in_chosen_frames;
    return attempt;
  }

  void note_failure(const FunctionPlan& plan, const Attempt& attempt) {
    if (!attempt.agrees()) failures_.push_back({&plan, attempt.in_chosen_frames});
  }

  /// If all attempts fail, this is the last one.
  Attempt first_in_plain_frames(const FunctionPlan& plan) {
    Attempt attempt;
    for (const FunctionPlan& choice : alternatives(plan)) {
      attempt = try_once(choice, plain_trees());
      attempt.in_plain_frames = true;
      for (LoweredFunction& form : attempt.function) form.kernel.formulation += plain_frames_mark;
      if (attempt.agrees()) return attempt;
    }
    return attempt;
  }

  /// Functions that take a link walk the tree by the same steps. So if one needs plain frames, all take them. Returns
  /// whether one does.
  bool share_frames_of_walks(const Plan& plan, std::vector<Attempt>& attempts) {
    bool plain = false;
    for (std::size_t k = 0; k < attempts.size(); ++k)
      plain = plain || (plan.functions[k].spec->takes_link && attempts[k].in_plain_frames);
    for (std::size_t k = 0; plain && k < attempts.size(); ++k) {
      if (!plan.functions[k].spec->takes_link || attempts[k].in_plain_frames) continue;
      attempts[k] = first_in_plain_frames(plan.functions[k]);
      if (!attempts[k].agrees()) failures_.push_back({&plan.functions[k], attempts[k].worst});
    }
    return plain;
  }

  const ChosenTrees& plain_trees() {
    std::call_once(plain_is_made_,
                   [this] { plain_ = trees_in_plain_frames(robot_.tree, chosen_.folded.has_value()); });
    return *plain_;
  }

  const Robot& robot_;
  const ChosenTrees& chosen_;
  const Options& options_;
  Observer observer_;
  int jobs_;
  std::mutex progress_;
  std::once_flag plain_is_made_;
  std::optional<ChosenTrees> plain_;
  std::vector<Disagreement> failures_;
};

}  // namespace

reference::OutputError judge(LoweredForms& function, const model::UserTree& user) {
  reference::OutputError worst;
  for (LoweredFunction& form : function) {
    const reference::OutputError error = verify::worst_error(form, user);
    form.error = error.relative;
    if (error.relative > worst.relative) worst = error;
  }
  return worst;
}

std::optional<LoweredRobot> lower_with_exact_turns(const Robot& robot, const ChosenTrees& exact,
                                                   const Plan& plan, const Options& options,
                                                   const Observer& observer) {
  std::optional<LoweredRobot> lowered =
      VerifiedLowering(robot, exact, options, observer).all_or_nothing(plan);
  if (lowered) lowered->exact_turns = true;
  return lowered;
}

LoweredRobot lower_as_written(const Robot& robot, const ChosenTrees& as_written, const Plan& plan,
                              const Options& options, const Observer& observer) {
  return VerifiedLowering(robot, as_written, options, observer).one_by_one(plan);
}

namespace {

/// For larger robots the search would take minutes.
constexpr std::size_t most_joints = 60;

/// The robot with one of its joints welded; nothing if that leaves no robot.
std::optional<model::UserTree> with_fixed(const Robot& robot, const std::string& joint,
                                          model::BuildOptions options) {
  urdf::Description description = robot.description;
  for (urdf::Joint& candidate : description.joints) {
    if (candidate.name == joint) candidate.type = urdf::JointType::fixed;
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
    }
  }
  return tree;
}

bool agrees_without(const Robot& robot, const std::string& joint, const FunctionPlan& function,
                    const Options& options) {
  const std::optional<model::UserTree> tree = with_fixed(robot, joint, options.build);
  if (!tree || tree->nv == 0) return false;
  const FunctionPlan plan = plan_function(*function.spec, function.dense, function.packed, *tree, options);
  LoweredForms lowered = lower(plan, trees_in_plain_frames(*tree, true), options);
  return judge(lowered, *tree).relative <= reference::promised_error;
}

std::vector<const model::Joint*> find_causes(const Robot& robot, const FunctionPlan& function,
                                             const Options& options, const Observer& observer) {
  std::vector<const model::Joint*> causes;
  if (robot.tree.bodies.size() > most_joints) return causes;
  for (const model::Body& body : robot.tree.bodies) {
    if (body.joint.line == 0) continue;  // the floating base
    observer.begin("looking for the cause: joint " + body.joint.name);
    try {
      if (agrees_without(robot, body.joint.name, function, options)) causes.push_back(&body.joint);
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
    const bool has_joint_rows = output.shape.sides().front() == catalog::nv;
    if (output.name == entry.substr(0, bracket) && !has_joint_rows) return nullptr;
  }
  const int index = std::atoi(entry.c_str() + bracket + 1);
  for (const model::Body& body : tree.bodies) {
    if (index >= body.joint.idx_v && index < body.joint.idx_v + body.joint.nv) return &body.joint;
  }
  return nullptr;
}

std::string list_errors(const std::vector<Disagreement>& disagreements) {
  std::vector<std::string> errors;
  for (const Disagreement& d : disagreements)
    errors.push_back(fmt::format("{} ({:.1e})", d.function->spec->name, d.error.relative));
  return fmt::format("{}", fmt::join(errors, ", "));
}

/// What is known about the cause, for the message.
std::string describe_cause(const Disagreement& first, const std::vector<const model::Joint*>& causes,
                           const model::Joint* place) {
  if (causes.empty()) {
    const std::string joint = place == nullptr ? "" : " of joint " + in_quotes(place->name);
    return "no single joint causes it; worst is " + first.error.entry + joint;
  }
  std::vector<std::string> names;
  for (const model::Joint* joint : causes) names.push_back(joint->name);
  return fmt::format("{} agrees when {} {} is fixed", first.function->spec->name,
                     names.size() == 1 ? "joint" : "any one of the joints", quoted_list(names));
}

}  // namespace

void refuse_disagreement(const Robot& robot, const std::vector<Disagreement>& disagreements,
                         const Options& options, const Observer& observer) {
  const Disagreement& first = disagreements.front();
  const std::vector<const model::Joint*> causes = find_causes(robot, *first.function, options, observer);
  const model::Joint* place =
      causes.empty() ? joint_of_entry(robot.tree, *first.function->spec, first.error.entry) : causes.front();
  const Location where = place == nullptr ? Location{robot.description.file, 0, "robot"}
                                          : Location{robot.description.file, place->line,
                                                     "robot/joint " + in_quotes(place->name)};
  Diagnostics findings;
  findings.error(
      where,
      fmt::format("no formulation of these functions agrees with the reference solver to {:.0e}: {}; {}",
                  reference::promised_error, list_errors(disagreements),
                  describe_cause(first, causes, place)),
      "look for masses, inertias and lengths there that differ by many orders of magnitude from their "
      "neighbours', leave these functions out (--functions), or take them as they are with --no-verify");
  throw InputError(findings);
}

}  // namespace featherline
