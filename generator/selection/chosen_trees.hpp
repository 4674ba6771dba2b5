#pragma once

#include "catalog/functions.hpp"
#include "model/canonical.hpp"
#include "model/limbs.hpp"
#include "selection/function_plan.hpp"
#include "support/observer.hpp"

#include <optional>

namespace featherline {

/// The trees that candidates are traced on.
struct ChosenTrees {
  model::CanonicalTree tree;
  std::optional<model::FoldedTree> folded;  ///< for formulations in lanes, if the plan has any
};

/// The tree that algorithms trace: canonical frames and regrouped inertias. With `common_frames` it also chooses the
/// common frames of bodies, which takes time.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {});

/// The same with the folded tree that the plan needs. Frames of equal limbs are chosen together.
ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan,
                                   const Observer& observer = {});
/// In frames that are not chosen to make equations short. They are for functions that disagree with the reference in
/// the chosen frames.
ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes);

/// Runs a formulation of the function on symbols.
ir::Kernel trace(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                 const ChosenTrees& trees);

}  // namespace featherline
