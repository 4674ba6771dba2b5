#pragma once

#include "model/tree.hpp"
#include "support/observer.hpp"

namespace featherline {

/// What algorithms trace: canonical frames, regrouped inertias, and, as choosing them takes a while, common frames of
/// several bodies only where they are needed.
model::CanonicalTree in_chosen_frames(const model::UserTree& user, bool common_frames,
                                      const Observer& observer = {});

/// The same in frames that nobody chose for short equations: for what comes out wrong in the chosen ones.
model::CanonicalTree in_plain_frames(const model::UserTree& user);

}  // namespace featherline
