#include "selection/verified.hpp"

#include "selection/blame.hpp"
#include "selection/frames.hpp"
#include "verify/verify.hpp"

#include <utility>

namespace featherline {
namespace {

/// A function as lowered in the frames of one tree, and how far it is off.
struct Attempt {
  LoweredFunction function;
  bool in_plain_frames = false;
  reference::OutputError worst = {};

  bool agrees() const { return worst.relative <= verify::largest_error; }
};

/// The plan, then each of its candidates by itself where there are several.
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
  /// `chosen`: the tree in chosen frames.
  VerifiedLowering(const Robot& robot, const model::CanonicalTree& chosen, const Options& options,
                   const Observer& observer)
      : robot_(robot), chosen_(chosen), options_(options), observer_(observer) {}

  /// Nothing where a function disagrees in chosen frames.
  std::optional<LoweredRobot> all_or_nothing(const Plan& plan) const {
    LoweredRobot lowered;
    for (const FunctionPlan& function : plan.functions) {
      Attempt attempt = try_once(function, chosen_);
      if (!attempt.agrees()) return std::nullopt;
      add(lowered, std::move(attempt.function));
    }
    lowered.kinematic_tree = chosen_;
    return lowered;
  }

  /// Each function in the first way that agrees.
  LoweredRobot one_by_one(const Plan& plan) {
    std::vector<Attempt> attempts;
    for (const FunctionPlan& function : plan.functions) attempts.push_back(first_that_agrees(function));
    const bool plain_kinematics = share_frames_of_walks(plan, attempts);
    if (!failures_.empty()) refuse_disagreement(robot_, failures_, options_, observer_);
    LoweredRobot lowered;
    for (Attempt& attempt : attempts) add(lowered, std::move(attempt.function));
    lowered.kinematic_tree = plain_kinematics ? plain_tree() : chosen_;
    return lowered;
  }

 private:
  static void add(LoweredRobot& lowered, LoweredFunction function) {
    for (emit::FunctionRequest& form : function) lowered.functions.push_back(std::move(form));
  }

  Attempt try_once(const FunctionPlan& plan, const model::CanonicalTree& tree) const {
    Attempt attempt{lower(plan, tree, options_, observer_)};
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
    if (!attempt.agrees()) failures_.push_back({&plan, in_chosen_frames});
    return attempt;
  }

  /// Of a failure the last attempt.
  Attempt first_in_plain_frames(const FunctionPlan& plan) {
    Attempt attempt;
    for (const FunctionPlan& choice : alternatives(plan)) {
      attempt = try_once(choice, plain_tree());
      attempt.in_plain_frames = true;
      for (emit::FunctionRequest& form : attempt.function) form.kernel.formulation += ", plain frames";
      if (attempt.agrees()) return attempt;
    }
    return attempt;
  }

  /// Functions that take a link walk the tree by the same steps: where one needs plain frames all take them. Whether
  /// one does.
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

  const model::CanonicalTree& plain_tree() {
    if (!plain_) plain_ = in_plain_frames(robot_.tree);
    return *plain_;
  }

  const Robot& robot_;
  const model::CanonicalTree& chosen_;
  const Options& options_;
  const Observer& observer_;
  std::optional<model::CanonicalTree> plain_;
  std::vector<Disagreement> failures_;
};

}  // namespace

reference::OutputError judge(LoweredFunction& function, const model::UserTree& user) {
  reference::OutputError worst;
  for (emit::FunctionRequest& form : function) {
    const reference::OutputError error = verify::worst_error(form, user);
    form.error = error.relative;
    if (error.relative > worst.relative) worst = error;
  }
  return worst;
}

std::optional<LoweredRobot> lower_with_exact_turns(const Robot& robot, const model::CanonicalTree& exact,
                                                   const Plan& plan, const Options& options,
                                                   const Observer& observer) {
  std::optional<LoweredRobot> lowered =
      VerifiedLowering(robot, exact, options, observer).all_or_nothing(plan);
  if (lowered) lowered->exact_turns = true;
  return lowered;
}

LoweredRobot lower_as_written(const Robot& robot, const model::CanonicalTree& as_written, const Plan& plan,
                              const Options& options, const Observer& observer) {
  return VerifiedLowering(robot, as_written, options, observer).one_by_one(plan);
}

}  // namespace featherline
