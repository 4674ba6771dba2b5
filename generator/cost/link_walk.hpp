#pragma once

#include "cost/estimate.hpp"

namespace featherline::cost {

/// Figures of a function that takes a link, for the link with the most flops. With `jacobian` they include the
/// columns of the Jacobian.
Figures link_walk_figures(const ir::LinkWalk& walk, bool jacobian, Target target);

}  // namespace featherline::cost
