#pragma once

#include "algorithms/context.hpp"

/// Momentum about the centre of mass, in world axes, and what belongs to it. Source: Orin, Goswami, Lee, "Centroidal
/// dynamics of a humanoid robot", 2013.
///
/// Inertias are the regrouped ones: what regrouping moves to the world is on axes and in centres that stand still, and
/// has no momentum (model/regroup.hpp). The centre of mass counts it.
namespace featherline::algorithms {

/// Output h.
template <class T>
void centroidal_momentum(Context<T>& context);
/// Output A.
template <class T>
void centroidal_momentum_matrix(Context<T>& context);
/// Output b.
template <class T>
void centroidal_momentum_bias(Context<T>& context);
/// Output T.
template <class T>
void kinetic_energy(Context<T>& context);

}  // namespace featherline::algorithms
