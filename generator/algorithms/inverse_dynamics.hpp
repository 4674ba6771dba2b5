#pragma once

#include "algorithms/joint_motion.hpp"

/// Inverse dynamics in link frames and 3-vectors (Luh, Walker and Paul 1980, in Khalil's form).
namespace featherline::algorithms {

/// tau = M(q) a + C(q, v) v + g(q) inside a larger function.
Coordinates inverse_dynamics(Tracer& tracer, const Coordinates& v, const Coordinates& a);

/// tau = M(q) a + C(q, v) v + g(q).
ir::Function trace_rnea(const model::CanonicalTree& tree);
/// tau = C(q, v) v + g(q).
ir::Function trace_bias(const model::CanonicalTree& tree);
/// tau = g(q), as inverse dynamics at rest.
ir::Function trace_gravity(const model::CanonicalTree& tree);
/// tau = g(q), from the composite masses and first moments of the subtrees.
ir::Function trace_gravity_composite(const model::CanonicalTree& tree);

}  // namespace featherline::algorithms
