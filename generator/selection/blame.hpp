#pragma once

#include "reference/outputs.hpp"
#include "selection/plan.hpp"
#include "support/observer.hpp"

#include <vector>

namespace featherline {

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
