#pragma once

#include "algorithms/context.hpp"

/// Inverse dynamics in link frames and 3-vectors (Luh, Walker and Paul 1980, in Khalil's form).
namespace featherline::algorithms {

/// tau = M(q) a + C(q, v) v + g(q), from the input "q".
Coordinates inverse_dynamics(Context& context, const Coordinates& v, const Coordinates& a);

/// By body: the force that the body and all it carries need for this motion, about the origin of its frame.
std::vector<Force> wrenches_without_gravity(Context& context, const Coordinates& v, const Coordinates& a);

/// tau of q, v, a.
void rnea(Context& context);
/// tau = C(q, v) v + g(q).
void bias(Context& context);
/// tau = g(q), as inverse dynamics at rest.
void gravity(Context& context);
/// tau = g(q), from the composite masses and first moments of the subtrees.
void gravity_by_composites(Context& context);

}  // namespace featherline::algorithms
