#pragma once

#include "reference/outputs.hpp"
#include "selection/plan.hpp"
#include "support/observer.hpp"

#include <vector>

namespace featherline {

/// A function whose formulations all disagree with the reference solver.
struct Disagreement {
  const FunctionPlan* function = nullptr;
  reference::OutputError error;
};

/// Throws InputError with one error about all `disagreements`. It names the joint that causes them: a joint whose
/// removal (it is made fixed) lets the first of the functions agree. If no single joint does, or the robot is too
/// large to try every joint, it names the joint of the worst entry.
[[noreturn]] void refuse_disagreement(const Robot& robot, const std::vector<Disagreement>& disagreements,
                                      const Options& options, const Observer& observer);

}  // namespace featherline
