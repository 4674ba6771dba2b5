#pragma once

#include "reference/outputs.hpp"
#include "selection/lower.hpp"
#include "selection/plan.hpp"
#include "support/observer.hpp"

#include <optional>
#include <vector>

/// From plan to programs that are right. Every function is judged by the reference solver (verify/verify.hpp) unless
/// Options::verify is off. What is tried where one disagrees:
///
///   1. the robot with exact quarter turns, in chosen frames, if it may have them: all functions or none of them, since
///      functions that differed in their robot would not undo each other
///   2. the robot as written, in chosen frames
///   3. in plain frames: the cheapest formulation again, then each by itself
///   4. an error that names the functions, and the joints that cause it (refuse_disagreement)
namespace featherline {

/// The worst error of all forms, which keep theirs. `user`: the robot as the reference solver takes it.
reference::OutputError judge(LoweredFunction& function, const model::UserTree& user);

/// What is printed: programs, and the tree whose frames the kinematics and the links' placements are in.
struct LoweredRobot {
  std::vector<emit::FunctionRequest> functions;  ///< one for each form asked for, in the order of the plan
  model::CanonicalTree kinematic_tree;
  bool exact_turns = false;  ///< traced with exact quarter turns that the file writes in decimals
};

/// The first step. `exact` is Robot::snapped in the frames that are traced. Nothing where a function disagrees.
std::optional<LoweredRobot> lower_with_exact_turns(const Robot& robot, const model::CanonicalTree& exact,
                                                   const Plan& plan, const Options& options,
                                                   const Observer& observer);

/// The other steps. `as_written` is Robot::tree in the frames that are traced. Throws InputError at the last.
LoweredRobot lower_as_written(const Robot& robot, const model::CanonicalTree& as_written, const Plan& plan,
                              const Options& options, const Observer& observer);

/// A function that no formulation gets right.
struct Disagreement {
  const FunctionPlan* function = nullptr;
  reference::OutputError error;
};

/// Throws InputError: one error about all `disagreements`, at the joint that causes them where there is one. A joint is a
/// cause if the first of the functions agrees once it is fixed. Of robots too large to try every joint, and where no
/// single joint is the cause, the joint of the worst entry is named instead.
[[noreturn]] void refuse_disagreement(const Robot& robot, const std::vector<Disagreement>& disagreements,
                                      const Options& options, const Observer& observer);

}  // namespace featherline
