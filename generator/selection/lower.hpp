#pragma once

#include "emit/emit.hpp"
#include "model/tree.hpp"
#include "selection/plan.hpp"
#include "support/observer.hpp"

#include <vector>

namespace featherline {

/// The forms of a function to print: dense, packed, or both, as planned.
using LoweredFunction = std::vector<emit::FunctionRequest>;

/// Traces the candidates of a function on `tree`, simplifies them, keeps the one with the fewest flops and schedules
/// it in every form of the plan.
LoweredFunction lower(const FunctionPlan& plan, const model::CanonicalTree& tree, const Options& options,
                      const Observer& observer = {});

/// The stages of lower() for --dump-after: "graph", the passes, "program" (the scheduled kernel).
std::vector<std::string> lowering_stage_names();

/// The tree that algorithms trace: canonical frames and regrouped inertias. With `common_frames` it also chooses the
/// common frames of bodies, which takes time.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {});

/// The same in plain frames, which are not chosen to make equations short. It is for functions that disagree with the
/// reference in the chosen frames.
model::CanonicalTree in_plain_frames(const model::UserTree& user);

}  // namespace featherline
