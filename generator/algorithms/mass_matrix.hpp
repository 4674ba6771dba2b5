#pragma once

#include "algorithms/joint_motion.hpp"
#include "algorithms/square_matrix.hpp"

namespace featherline::algorithms {

/// M(q) inside a larger function.
SquareMatrix mass_matrix(Tracer& tracer);

/// M(q), full and symmetric: composite rigid bodies in link frames (Featherstone, RBDA table 6.2), forces carried
/// to the ancestors as moment and force.
ir::Function trace_mass_matrix(const model::CanonicalTree& tree);

}  // namespace featherline::algorithms
