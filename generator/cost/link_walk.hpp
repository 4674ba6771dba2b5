#pragma once

#include "cost/estimate.hpp"

namespace featherline::cost {

/// Of a function that walks to a link: for the link that takes most flops. `jacobian`: columns are added on the way.
Figures link_walk_figures(const ir::LinkWalk& walk, bool jacobian, Target target);

}  // namespace featherline::cost
