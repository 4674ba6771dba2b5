#pragma once

#include "pipeline.hpp"
#include "reference/outputs.hpp"

#include <string>
#include <vector>

namespace featherline {

/// A function that no formulation gets right.
struct Disagreement {
  std::string function;
  reference::OutputError error;
};

/// One error about all `disagreements`, at the joint that causes them where there is one: a joint is a cause if the
/// first of the functions agrees once it is fixed. Of robots too large to try every joint, and where no single joint is
/// the cause, the joint of the worst entry is named instead.
void report_disagreement(const Robot& robot, const std::vector<Disagreement>& disagreements,
                         const EmitOptions& options, const Observer& observer, Diagnostics& findings);

}  // namespace featherline
