#include "selection/chosen_trees.hpp"

#include "algorithms/derivatives/derivatives.hpp"

namespace featherline {

model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer) {
  const model::CanonicalTree canonical = model::canonicalise(user);
  observer.done("canonical", canonical);
  model::CanonicalTree regrouped = model::regroup_inertias(canonical);
  if (common_frames) {
    observer.begin("choosing frames");
    regrouped.own_frames = algorithms::choose_own_frames(regrouped);
  }
  observer.done("regrouped", regrouped);
  return regrouped;
}

namespace {

/// Bodies with the same place in equal limbs do the same. For readers, the tree with all limbs has the choice, too.
void choose_own_frames_of_limbs(model::FoldedTree& tree) {
  tree.walked.own_frames = algorithms::choose_own_frames(tree);
  tree.full.own_frames.resize(tree.full.bodies.size());
  for (std::size_t k = 0; k < tree.folding.bodies.size(); ++k) {
    for (const int member : tree.folding.bodies[k].members)
      tree.full.own_frames[static_cast<std::size_t>(member)] = tree.walked.own_frames[k];
  }
}

}  // namespace

ChosenTrees trees_in_chosen_frames(const model::UserTree& user, const Plan& plan, const Observer& observer) {
  ChosenTrees trees{in_chosen_frames(user, plan.common_frames, observer), {}};
  if (!plan.lanes) return trees;
  observer.begin("choosing frames of limbs");
  trees.folded =
      model::fold_limbs(model::regroup_inertias(model::canonicalise(user, model::Frames::of_limbs)));
  if (plan.common_frames) choose_own_frames_of_limbs(*trees.folded);
  return trees;
}

ChosenTrees trees_in_plain_frames(const model::UserTree& user, bool lanes) {
  ChosenTrees trees{model::regroup_inertias(model::canonicalise(user, model::Frames::plain)), {}};
  if (lanes) trees.folded = model::fold_limbs(trees.tree);
  return trees;
}

ir::Kernel trace(const catalog::FunctionSpec& function, const catalog::Formulation& formulation,
                 const ChosenTrees& trees) {
  return formulation.in_lanes() ? catalog::trace(function, formulation, trees.folded.value())
                                : catalog::trace(function, formulation, trees.tree);
}

}  // namespace featherline
