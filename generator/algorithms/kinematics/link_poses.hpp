#pragma once

#include "algorithms/context.hpp"

namespace featherline::algorithms {

/// Outputs p and R: the poses of all links. Ancestors are computed once, links at one place share their values.
void link_poses(Context& context);

/// Whether equal limbs carry equally many links, body by body.
bool links_fit_limbs(const model::Tree& tree);

}  // namespace featherline::algorithms
