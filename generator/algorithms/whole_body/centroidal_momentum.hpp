#pragma once

#include "algorithms/context.hpp"

/// Momentum about the centre of mass, in world axes, and what belongs to it. Source: Orin, Goswami, Lee, "Centroidal
/// dynamics of a humanoid robot", 2013.
///
/// Inertias are the regrouped ones: what regrouping moves to the world is on axes and in centres that stand still, and
/// has no momentum (model/regroup.hpp). The centre of mass counts it.
namespace featherline::algorithms {

/// Output h.
void centroidal_momentum(Context& context);
/// Output A.
void centroidal_momentum_matrix(Context& context);
/// Output b.
void centroidal_momentum_bias(Context& context);
/// Output T.
void kinetic_energy(Context& context);

}  // namespace featherline::algorithms
