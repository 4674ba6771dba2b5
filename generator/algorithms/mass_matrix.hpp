#pragma once

#include "algorithms/matrices.hpp"

namespace featherline::algorithms {

/// M(q), full and symmetric, by composite rigid bodies in link frames (Featherstone, RBDA table 6.2). Forces are
/// moved to the ancestors as moment and force.
template <class T>
SquareMatrix<T> joint_space_inertia(Context<T>& context);

template <class T>
void mass_matrix(Context<T>& context);

}  // namespace featherline::algorithms
