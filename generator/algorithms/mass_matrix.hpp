#pragma once

#include "expr/function.hpp"
#include "model/tree.hpp"

namespace featherline::algorithms {

/// M(q), full and symmetric: composite rigid bodies in link frames (Featherstone, RBDA table 6.2), forces carried
/// to the ancestors as moment and force.
expr::Function trace_mass_matrix(const model::Tree& tree);

}  // namespace featherline::algorithms
