#pragma once

#include "algorithms/context.hpp"
#include "algorithms/matrices.hpp"
#include "model/joint_dynamics.hpp"

/// Damping, Coulomb friction and rotor inertia (armature) of joints with one degree of freedom (`--joint-dynamics`):
///   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2)
/// v is the rate of the joint; for a coupled mimic joint it is the multiplier times the rate of its driver. Coulomb
/// friction is smoothed so that it has derivatives. epsilon is model::friction_smoothing.
namespace featherline::algorithms {

/// Whether some joint has Coulomb friction, which has second derivatives.
bool has_friction(const model::Tree& tree);

void add_joint_dynamics(const Context& context, const Coordinates& v, const Coordinates& a, Coordinates& tau);
void add_armature(const Context& context, SquareMatrix& M);
/// Adds d tau / d v of damping and friction.
void add_friction_derivative(const Context& context, const Coordinates& v, SquareMatrix& dtau_dv);
/// By degree of freedom: d2 tau / d v^2 of the friction, -3 friction epsilon^2 v / (v^2 + epsilon^2)^(5/2).
Coordinates friction_second_derivative(const Context& context, const Coordinates& v);

}  // namespace featherline::algorithms
