#include "selection/frames.hpp"

#include "algorithms/first_derivatives.hpp"
#include "model/canonical.hpp"
#include "model/regroup.hpp"

namespace featherline {

model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer) {
  const model::CanonicalTree canonical = model::canonicalise(user);
  observer.done("canonical", [&] { return model::dump(canonical); });

  model::CanonicalTree regrouped = model::regroup_inertias(canonical);
  if (common_frames) {
    observer.begin("choosing frames");
    regrouped.own_frames = algorithms::choose_own_frames(regrouped);
  }
  observer.done("regrouped", [&] { return model::dump(regrouped); });
  return regrouped;
}

model::CanonicalTree in_plain_frames(const model::UserTree& user) {
  return model::regroup_inertias(model::canonicalise(user, model::Frames::plain));
}

}  // namespace featherline
