#include "verified_lowering.hpp"

#include "blame.hpp"
#include "size_policy.hpp"
#include "verify/verify.hpp"

#include <optional>
#include <utility>

namespace featherline {
namespace {

using catalog::FunctionSpec;

/// One way to compute the forms of a function, and how far it is off.
struct Attempt {
  std::vector<emit::FunctionRequest> forms;
  std::vector<ir::Program> pose_steps;
  const model::CanonicalTree* tree = nullptr;  ///< that it was traced on
  reference::OutputError worst;

  bool agrees() const { return worst.relative <= verify::largest_error; }
};

class VerifiedLowering {
 public:
  /// `traced` is made of the user's robot as it is, or with exact quarter turns.
  VerifiedLowering(const Robot& robot, const model::CanonicalTree& traced, bool exact_turns,
                   const EmitOptions& options, const Observer& observer)
      : robot_(robot), traced_(traced), exact_turns_(exact_turns), options_(options), observer_(observer) {}

  /// Nothing where a function disagrees, which exact quarter turns may be the reason of.
  std::optional<LoweredRobot> run() {
    LoweredRobot lowered;
    lowered.exact_turns = exact_turns_;
    bool plain_kinematics = false;
    for (const FunctionSpec& algorithm : catalog::functions()) {
      Attempt attempt = lower(algorithm);
      if (!attempt.agrees() && exact_turns_) return std::nullopt;
      for (emit::FunctionRequest& form : attempt.forms) lowered.functions.push_back(std::move(form));
      if (attempt.pose_steps.empty()) continue;
      plain_kinematics = plain_kinematics || attempt.tree != &traced_;
      lowered.pose_steps = std::move(attempt.pose_steps);
    }
    if (plain_kinematics) share_plain_steps(lowered);
    if (!failures_.empty()) refuse();
    lowered.kinematic_tree = plain_kinematics ? plain_tree() : traced_;
    return lowered;
  }

 private:
  /// The first attempt that agrees; of a failure, the last.
  Attempt lower(const FunctionSpec& algorithm) {
    Attempt attempt = try_once(algorithm, traced_, options_);
    if (attempt.forms.empty() || attempt.agrees() || exact_turns_) return attempt;
    const reference::OutputError first = attempt.worst;
    for (const EmitOptions& choice : choices_in_plain_frames(algorithm)) {
      attempt = try_once(algorithm, plain_tree(), choice);
      for (emit::FunctionRequest& form : attempt.forms) form.program.function.formulation += ", plain frames";
      if (attempt.agrees()) return attempt;
    }
    failures_.push_back({algorithm.name, first});
    return attempt;
  }

  Attempt try_once(const FunctionSpec& algorithm, const model::CanonicalTree& tree, const EmitOptions& options) {
    Attempt attempt{lower_function(algorithm, tree, options, observer_), {}, &tree, {}};
    if (attempt.forms.empty()) return attempt;
    if (algorithm.takes_link) attempt.pose_steps = lower_pose_steps(tree, options, observer_);
    if (!options.verify) return attempt;
    observer_.begin(algorithm.name + ": verifying");
    for (emit::FunctionRequest& form : attempt.forms) judge(form, tree, attempt.pose_steps, attempt.worst);
    return attempt;
  }

  void judge(emit::FunctionRequest& form, const model::CanonicalTree& tree, const std::vector<ir::Program>& pose_steps,
             reference::OutputError& worst) const {
    const reference::OutputError error = verify::worst_error({form, tree, pose_steps}, robot_.tree);
    form.error = error.relative;
    if (error.relative > worst.relative) worst = error;
  }

  /// Where one walk needs plain frames all take them, for their steps are shared, and are judged on those.
  void share_plain_steps(LoweredRobot& lowered) {
    lowered.pose_steps = lower_pose_steps(plain_tree(), options_, observer_);
    for (emit::FunctionRequest& form : lowered.functions) {
      if (!form.spec->takes_link) continue;
      reference::OutputError worst;
      judge(form, plain_tree(), lowered.pose_steps, worst);
      if (worst.relative > verify::largest_error) failures_.push_back({form.spec->name, worst});
    }
  }

  /// The cheapest first; then every formulation that applies, each by itself, unless the user forced one.
  std::vector<EmitOptions> choices_in_plain_frames(const FunctionSpec& algorithm) {
    std::vector<EmitOptions> choices{options_};
    if (options_.formulations.count(algorithm.name) > 0) return choices;
    for (const catalog::Formulation& formulation : algorithm.formulations) {
      if (formulation.applies && !formulation.applies(plain_tree())) continue;
      if (!is_candidate(formulation, algorithm, plain_tree(), options_.formulations, false)) continue;
      choices.push_back(options_);
      choices.back().formulations[algorithm.name] = formulation.name;
    }
    return choices;
  }

  const model::CanonicalTree& plain_tree() {
    if (!plain_) plain_ = plain_tracing_tree(robot_.tree);
    return *plain_;
  }

  [[noreturn]] void refuse() const {
    Diagnostics findings;
    report_disagreement(robot_, failures_, options_, observer_, findings);
    throw InputError(findings);
  }

  const Robot& robot_;
  const model::CanonicalTree& traced_;
  bool exact_turns_;
  std::optional<model::CanonicalTree> plain_;
  const EmitOptions& options_;
  const Observer& observer_;
  std::vector<Disagreement> failures_;
};

std::optional<LoweredRobot> lower_on(const model::UserTree& tree, const Robot& robot,
                                     const EmitOptions& options, const Observer& observer) {
  const model::CanonicalTree traced = tracing_tree(tree, options.functions, observer);
  return VerifiedLowering(robot, traced, &tree != &robot.tree, options, observer).run();
}

}  // namespace

LoweredRobot lower_verified(const Robot& robot, const EmitOptions& options, const Observer& observer) {
  if (auto lowered = lower_on(emitted_tree(robot), robot, options, observer)) return *std::move(lowered);
  return *lower_on(robot.tree, robot, options, observer);
}

}  // namespace featherline
