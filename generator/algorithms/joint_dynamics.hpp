#pragma once

#include "algorithms/context.hpp"
#include "algorithms/matrices.hpp"
#include "model/joint_dynamics.hpp"

/// Losses and rotor inertia of joints with one degree of freedom (`--joint-dynamics`):
///   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2)
/// with the joint's own rate, which for a coupled mimic joint is multiplier * v. Coulomb friction is smoothed so that
/// it has derivatives; epsilon is model::friction_smoothing.
namespace featherline::algorithms {

template <class T>
void add_joint_dynamics(const Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
                        Coordinates<T>& tau);
template <class T>
void add_armature(const Context<T>& context, SquareMatrix<T>& M);
/// d tau / d v of damping and friction.
template <class T>
void add_friction_derivative(const Context<T>& context, const Coordinates<T>& v, SquareMatrix<T>& dtau_dv);
/// By degree of freedom: d2 tau / d v^2 of the friction, -3 friction epsilon^2 v / (v^2 + epsilon^2)^(5/2).
template <class T>
Coordinates<T> friction_second_derivative(const Context<T>& context, const Coordinates<T>& v);

}  // namespace featherline::algorithms
