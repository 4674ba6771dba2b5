#pragma once

#include "algorithms/matrices.hpp"

namespace featherline::algorithms {

/// M(q), full and symmetric, by composite rigid bodies in link frames (Featherstone, RBDA table 6.2). Forces are
/// moved to the ancestors as moment and force.
SquareMatrix joint_space_inertia(Context& context);

void mass_matrix(Context& context);

}  // namespace featherline::algorithms
