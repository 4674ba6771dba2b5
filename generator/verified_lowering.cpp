#include "verified_lowering.hpp"

#include "blame.hpp"
#include "size_policy.hpp"
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace featherline {
namespace {

using algorithms::Algorithm;

/// One way to compute the forms of a function, and how far it is off.
struct Attempt {
  std::vector<emit::FunctionRequest> forms;
  std::vector<passes::Program> pose_steps;
  const model::Tree* kinematic_tree = nullptr;
  reference::OutputError worst;

  bool agrees() const { return worst.relative <= verify::largest_error; }
};

class VerifiedLowering {
 public:
  VerifiedLowering(const Robot& robot, const model::Tree& traced, const EmitOptions& options,
                   const Observer& observer)
      : robot_(robot), traced_(traced), options_(options), observer_(observer) {}

  LoweredRobot run() {
    LoweredRobot lowered;
    const model::Tree* kinematic_tree = &traced_;
    for (const Algorithm& algorithm : algorithms::registry()) {
      Attempt attempt = lower(algorithm);
      for (emit::FunctionRequest& form : attempt.forms) lowered.functions.push_back(std::move(form));
      if (attempt.pose_steps.empty()) continue;
      // Where one walk needs plain frames both take them: their steps are shared.
      if (attempt.kinematic_tree == kinematic_tree && !lowered.pose_steps.empty()) continue;
      if (attempt.kinematic_tree == &traced_ && kinematic_tree != &traced_) continue;
      kinematic_tree = attempt.kinematic_tree;
      lowered.pose_steps = std::move(attempt.pose_steps);
    }
    if (!failures_.empty()) refuse();
    lowered.kinematic_tree = *kinematic_tree;
    return lowered;
  }

 private:
  /// The first attempt that agrees; of a failure, the last.
  Attempt lower(const Algorithm& algorithm) {
    Attempt attempt = try_once(algorithm, traced_, options_);
    if (attempt.forms.empty() || attempt.agrees()) return attempt;
    const reference::OutputError first = attempt.worst;
    for (const EmitOptions& forced : plainer_options(algorithm)) {
      attempt = try_once(algorithm, plain_tree(), forced);
      if (attempt.agrees()) return attempt;
    }
    failures_.push_back({algorithm.name, first});
    return attempt;
  }

  Attempt try_once(const Algorithm& algorithm, const model::Tree& tree, const EmitOptions& options) {
    Attempt attempt{lower_function(algorithm, tree, options, observer_), {}, &tree, {}};
    if (attempt.forms.empty()) return attempt;
    if (algorithm.formulations.empty()) attempt.pose_steps = lower_pose_steps(tree, options, observer_);
    if (!options.verify) return attempt;
    observer_.begin(algorithm.name + ": verifying");
    for (emit::FunctionRequest& form : attempt.forms) {
      const reference::OutputError error = verify::worst_error({form, tree, attempt.pose_steps}, robot_.tree);
      form.error = error.relative;
      if (error.relative > attempt.worst.relative) attempt.worst = error;
    }
    return attempt;
  }

  /// Every formulation that applies, each by itself; the forced one alone where the user forced it.
  std::vector<EmitOptions> plainer_options(const Algorithm& algorithm) {
    if (algorithm.formulations.empty() || options_.formulations.count(algorithm.name) > 0) return {options_};
    std::vector<EmitOptions> choices;
    for (const algorithms::Formulation& formulation : algorithm.formulations) {
      if (formulation.applies && !formulation.applies(plain_tree())) continue;
      if (!is_candidate(formulation, algorithm, plain_tree(), options_.formulations, false)) continue;
      choices.push_back(options_);
      choices.back().formulations[algorithm.name] = formulation.name;
    }
    return choices;
  }

  const model::Tree& plain_tree() {
    if (!plain_) plain_ = plain_tracing_tree(robot_.tree);
    return *plain_;
  }

  [[noreturn]] void refuse() const {
    Diagnostics findings;
    report_disagreement(robot_, failures_, options_, observer_, findings);
    throw InputError(findings);
  }

  const Robot& robot_;
  const model::Tree& traced_;
  std::optional<model::Tree> plain_;
  const EmitOptions& options_;
  const Observer& observer_;
  std::vector<Disagreement> failures_;
};

}  // namespace

LoweredRobot lower_verified(const Robot& robot, const model::Tree& traced, const EmitOptions& options,
                            const Observer& observer) {
  return VerifiedLowering(robot, traced, options, observer).run();
}

}  // namespace featherline
