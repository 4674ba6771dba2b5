#pragma once

#include "algorithms/first_derivatives.hpp"
#include "algorithms/tree_axes.hpp"

#include <functional>

/// Forward dynamics, products with M^-1, and their first and second derivatives. The cheapest formulation depends on
/// the robot: articulated bodies take O(n) operations, but the sparse factor is cheaper for small robots.
namespace featherline::algorithms {

/// tau - C(q, v) v - g(q).
template <class T>
Coordinates<T> net_torque(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& tau);

/// x = M^-1 b, for any number of b.
template <class T>
using Solve = std::function<Coordinates<T>(const Coordinates<T>&)>;
template <class T>
Solve<T> factor_solver(Context<T>& context);
/// Joints must not share coordinates; see has_own_coordinates().
template <class T>
Solve<T> articulated_solver(Context<T>& context);
/// The factor if joints share coordinates, else articulated bodies.
template <class T>
Solve<T> linear_solver(Context<T>& context);

/// The acceleration of a state, and the factor of M that it was computed with. M comes from the sweep that computes
/// the derivatives. This sweep runs twice: for M, and then with the acceleration. On symbols, equal values of both
/// runs are one node.
template <class T>
struct ForwardDynamics {
  SparseFactor<T> factor;
  Coordinates<T> a;
};
template <class T>
ForwardDynamics<T> forward_dynamics(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& tau,
                                    const OwnFrames& own_frames);

/// M = L^T D L, in a section of its own.
template <class T>
SparseFactor<T> factor_in_section(Context<T>& context, const SquareMatrix<T>& M);

template <class T>
void aba_by_factor(Context<T>& context);
template <class T>
void aba_by_articulated_bodies(Context<T>& context);
template <class T>
void aza_by_factor(Context<T>& context);
template <class T>
void aza_by_articulated_bodies(Context<T>& context);
template <class T>
void minv_by_factor(Context<T>& context);
template <class T>
void minv_by_aza(Context<T>& context);

/// FDSVA (papers 000 and 001): dFD = -M^-1 dID, eq. (5) of 001. The product is a dense multiplication (DMM), a
/// back-substitution with the factor, or AZA for each column.
template <class T>
void aba_derivatives_by_dmm(Context<T>& context);
template <class T>
void aba_derivatives_by_factor(Context<T>& context);
template <class T>
void aba_derivatives_by_aza(Context<T>& context);

}  // namespace featherline::algorithms
