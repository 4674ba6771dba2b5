#pragma once

#include "algorithms/first_derivatives.hpp"
#include "algorithms/sparse_factor.hpp"
#include "algorithms/tree_axes.hpp"

#include <functional>

/// What forward dynamics and its derivatives of both orders are put together from.
namespace featherline::algorithms {

/// The tree with its inertias regrouped for composite bodies.
model::CanonicalTree with_grouped_inertias(const model::CanonicalTree& tree);

/// {q, v, tau}.
std::vector<ir::Parameter> forward_state(const model::CanonicalTree& tree);

/// tau - C(q, v) v - g(q).
Coordinates net_torque(Tracer& tracer, const Coordinates& v, const Coordinates& tau);

/// x = M^-1 b, for any number of b.
using Solve = std::function<Coordinates(const Coordinates&)>;
Solve factor_solver(Tracer& tracer);
/// Not where joints share coordinates; see has_own_coordinates().
Solve articulated_solver(Tracer& tracer);
/// Articulated bodies, O(n), where joints have coordinates of their own, else the factor.
Solve linear_solver(Tracer& tracer);

Coordinates column(const SquareMatrix& A, int c);
void set_column(SquareMatrix& A, int c, const Coordinates& x);

/// The state's acceleration, and the factor of M that gave it.
struct ForwardDynamics {
  SparseFactor factor;
  Coordinates a;
};
/// M comes out of the same sweep as the derivatives: traced once for M, and again (shared) with the acceleration.
ForwardDynamics forward_dynamics(Tracer& tracer, const Coordinates& v, const Coordinates& tau,
                                 const FrameRoots& roots);

/// M, dtau_dq and dtau_dv as outputs `first`, first + 1 and first + 2.
void store_all(Tracer& tracer, int first, const FirstDerivatives& id);

/// R^T g of a floating base: gravity in its axes.
Vector3 base_gravity(Tracer& tracer);
/// Unit vector of coordinate k of a floating base: 0 to 2 translations, 3 to 5 rotations, in its axes.
Vector3 base_axis(int k);

}  // namespace featherline::algorithms
