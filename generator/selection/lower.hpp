#pragma once

#include "lowered/lowered_function.hpp"
#include "model/limbs.hpp"
#include "selection/function_plan.hpp"
#include "support/observer.hpp"

#include <optional>
#include <vector>

namespace featherline {

/// The forms of a function to print: dense, packed, or both, as planned.
using LoweredForms = std::vector<LoweredFunction>;

/// The trees that candidates are traced on.
struct ChosenTrees {
  model::CanonicalTree tree;
  std::optional<model::FoldedTree> folded;  ///< for formulations in lanes, if the plan has any
};

/// If some graph had more nodes than this, no further formulation is unrolled. Each would take seconds and hundreds of
/// megabytes.
inline constexpr ir::NodeId large_graph = 1'000'000;

/// Traces the candidates of a function on `trees`, simplifies them, keeps the best one for Options::goal() and
/// schedules it in every form of the plan.
LoweredForms lower(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
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

/// The same with the folded tree that the plan needs. Frames of equal limbs are chosen together.
ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan,
                                   const Observer& observer = {});
ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes);

}  // namespace featherline
