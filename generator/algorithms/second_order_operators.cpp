#include "algorithms/second_order_operators.hpp"

namespace featherline::algorithms {
namespace {

/// Change of 2 B when all it is made of moves along s: s x* B - B s x, which has the structure of B again. K moves
/// like J with the momentum f in the place of the first moment h.
Coriolis moved_along(const Coriolis& B, const Motion& s) {
  const SymbolicInertia like_inertia{0.0, B.f, B.K};
  return coriolis(like_inertia, s, {s.w.cross(B.n) + s.u.cross(B.f), s.w.cross(B.f)});
}

}  // namespace

Operators second_order_operators(const CompositeBody& body, const Axis& p) {
  const Force t1 = body.I * p.S;
  const Coriolis Bs = coriolis(body.I, p.S, t1);
  const Coriolis A3 = coriolis(body.I, p.Pd, body.I * p.Pd) + moved_along(body.B, p.S);
  const Force t2 = body.B.times(p.S) + body.I * (p.Pd + p.Sd);
  const Force t3 = body.B.times(p.Pd) + body.I * p.Pdd + cross_dual(p.S, body.F);
  return {Bs, A3, t1, t2, t3, body.B.transposed_times(p.S)};
}

}  // namespace featherline::algorithms
