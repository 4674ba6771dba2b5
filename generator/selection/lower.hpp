#pragma once

#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "selection/plan.hpp"
#include "support/observer.hpp"

#include <vector>

namespace featherline {

/// A function as it is printed: in the dense form, the packed one, or both, as the plan asks.
using LoweredFunction = std::vector<emit::FunctionRequest>;

/// Traces the candidates of a function on `tree`, simplifies them, keeps the one with the fewest flops and schedules
/// it in every form of the plan.
LoweredFunction lower(const FunctionPlan& plan, const model::CanonicalTree& tree, const Options& options,
                      const Observer& observer = {});

/// The stages above as --dump-after names them: "graph", the passes, "program".
std::vector<std::string> lowering_stage_names();

/// What algorithms trace: canonical frames, regrouped inertias, and, as choosing them takes a while, common frames of
/// several bodies only where they are needed.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {});

/// The same in frames that nobody chose for short equations: for what comes out wrong in the chosen ones.
model::CanonicalTree in_plain_frames(const model::UserTree& user);

}  // namespace featherline
