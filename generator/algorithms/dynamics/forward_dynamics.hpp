#pragma once

#include "algorithms/derivatives/first_derivatives.hpp"
#include "algorithms/routines/tree_axes.hpp"

#include <functional>

/// Forward dynamics, products with M^-1, and their first and second derivatives. The cheapest formulation depends on
/// the robot: articulated bodies take O(n) operations, but the sparse factor is cheaper for small robots.
namespace featherline::algorithms {

/// tau - C(q, v) v - g(q).
Coordinates net_torque(Context& context, const Coordinates& v, const Coordinates& tau);

/// x = M^-1 b, for any number of b.
using Solve = std::function<Coordinates(const Coordinates&)>;
Solve factor_solver(Context& context);
/// Joints must not share coordinates; see has_no_mimic().
Solve articulated_solver(Context& context);
/// The factor if joints share coordinates, else articulated bodies.
Solve linear_solver(Context& context);

/// The acceleration of a state, and the factor of M that it was computed with. M comes from the sweep that computes
/// the derivatives. This sweep runs twice: for M, and then with the acceleration. On symbols, equal values of both
/// runs are one node.
struct ForwardDynamics {
  SparseFactor factor;
  Coordinates a;
};
ForwardDynamics forward_dynamics(Context& context, const Coordinates& v, const Coordinates& tau,
                                 const OwnFrames& own_frames);

/// M = L^T D L, in a section of its own.
SparseFactor factor_in_section(Context& context, const SquareMatrix& M);

void aba_by_factor(Context& context);
void aba_by_articulated_bodies(Context& context);
void aza_by_factor(Context& context);
void aza_by_articulated_bodies(Context& context);
void minv_by_factor(Context& context);
void minv_by_aza(Context& context);

/// FDSVA (papers 000 and 001): dFD = -M^-1 dID, eq. (5) of 001. The product is a dense multiplication (DMM), a
/// back-substitution with the factor, or AZA for each column.
void aba_derivatives_by_dmm(Context& context);
void aba_derivatives_by_factor(Context& context);
void aba_derivatives_by_aza(Context& context);

}  // namespace featherline::algorithms
