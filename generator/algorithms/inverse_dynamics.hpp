#pragma once

#include "algorithms/context.hpp"

/// Inverse dynamics in link frames and 3-vectors (Luh, Walker and Paul 1980, in Khalil's form).
namespace featherline::algorithms {

/// tau = M(q) a + C(q, v) v + g(q), from the input "q".
template <class T>
Coordinates<T> inverse_dynamics(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a);

/// By body: the force that the body and all it carries need for this motion, about the origin of its frame.
template <class T>
std::vector<Force<T>> wrenches_without_gravity(Context<T>& context, const Coordinates<T>& v,
                                               const Coordinates<T>& a);

/// tau of q, v, a.
template <class T>
void rnea(Context<T>& context);
/// tau = C(q, v) v + g(q).
template <class T>
void bias(Context<T>& context);
/// tau = g(q), as inverse dynamics at rest.
template <class T>
void gravity(Context<T>& context);
/// tau = g(q), from the composite masses and first moments of the subtrees.
template <class T>
void gravity_by_composites(Context<T>& context);

}  // namespace featherline::algorithms
