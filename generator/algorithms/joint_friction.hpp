#pragma once

#include "algorithms/joint_motion.hpp"
#include "algorithms/square_matrix.hpp"
#include "model/joint_losses.hpp"

/// Losses and rotor inertia of joints with one degree of freedom (`--joint-dynamics`):
///   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2)
/// with the joint's own rate, which for a coupled mimic joint is multiplier * v. Coulomb friction is smoothed so that
/// it has derivatives; epsilon is model::friction_smoothing.
namespace featherline::algorithms {

void add_joint_friction(Tracer& tracer, const Coordinates& v, const Coordinates& a, Coordinates& tau);
void add_armature(Tracer& tracer, SquareMatrix& M);
/// d tau / d v of damping and friction.
void add_joint_friction_derivative(Tracer& tracer, const Coordinates& v, SquareMatrix& dtau_dv);
/// By degree of freedom: d2 tau / d v^2 of the friction, -3 friction epsilon^2 v / (v^2 + epsilon^2)^(5/2).
Coordinates joint_friction_second_derivative(Tracer& tracer, const Coordinates& v);

}  // namespace featherline::algorithms
