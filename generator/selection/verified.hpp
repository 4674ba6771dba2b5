#pragma once

#include "reference/outputs.hpp"
#include "selection/function_plan.hpp"
#include "selection/lower.hpp"
#include "support/observer.hpp"

#include <optional>
#include <vector>

/// From the plan to kernels that agree with the reference solver (verify/verify.hpp). With --no-verify the first
/// attempt is kept. The attempts:
///
///   1. The robot has exact quarter turns, if the file's decimals allow it, and chosen frames. All functions must agree:
///      functions of two slightly different robots would not be inverses of each other.
///   2. The robot is as written, in chosen frames.
///   3. The robot is as written, in plain frames: first the best formulation, then each formulation by itself.
///   4. An error names the functions, and the joints that cause it (refuse_disagreement()).
namespace featherline {

/// Stands behind the name of a formulation that was traced in plain frames.
inline constexpr const char* plain_frames_mark = ", plain frames";

/// Judges all forms of a function, stores the error of each, and returns the worst. The reference solver runs on
/// `user`.
reference::OutputError judge(LoweredForms& function, const model::UserTree& user);

/// The kernels to print, and the tree in whose frames the kinematics and the placements of links are.
struct LoweredRobot {
  std::vector<LoweredFunction> functions;  ///< one for each form asked for, in the order of the plan
  model::CanonicalTree kinematic_tree;
  std::optional<model::FoldedTree> folded_tree;  ///< of functions in lanes
  bool exact_turns = false;  ///< quarter turns that the file writes in decimals were taken as exact
};

/// Attempt 1. `exact` is Robot::snapped in chosen frames. Returns nothing if a function disagrees.
std::optional<LoweredRobot> lower_with_exact_turns(const Robot& robot, const ChosenTrees& exact,
                                                   const Plan& plan, const Options& options,
                                                   const Observer& observer);

/// Attempts 2 and 3. `as_written` is Robot::tree in chosen frames. Throws InputError if all fail.
LoweredRobot lower_as_written(const Robot& robot, const ChosenTrees& as_written, const Plan& plan,
                              const Options& options, const Observer& observer);

/// A function for which no formulation agrees.
struct Disagreement {
  const FunctionPlan* function = nullptr;
  reference::OutputError error;
};

/// Throws InputError with one error about all `disagreements`. If one joint causes them, the error is at that joint. A
/// joint is the cause if the first of the functions agrees once the joint is fixed. If the robot is too large to try
/// every joint, or no single joint is the cause, the error names the joint of the worst entry instead.
[[noreturn]] void refuse_disagreement(const Robot& robot, const std::vector<Disagreement>& disagreements,
                                      const Options& options, const Observer& observer);

}  // namespace featherline
