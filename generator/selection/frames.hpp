#pragma once

#include "model/tree.hpp"
#include "support/observer.hpp"

namespace featherline {

/// The tree that algorithms trace: canonical frames and regrouped inertias. With `common_frames` it also chooses the
/// common frames of bodies, which takes time.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {});

/// The same in plain frames, which are not chosen for short equations. For functions that disagree in the chosen
/// frames.
model::CanonicalTree in_plain_frames(const model::UserTree& user);

}  // namespace featherline
