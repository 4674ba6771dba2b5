#pragma once

#include "algorithms/composite_motion.hpp"

namespace featherline::algorithms {

/// The matrices A0 to A7 of one degree of freedom p of body i (002, Algorithm 1, lines 15 to 24). Each is fixed by
/// few numbers: A0, A4, A5, A7 are cross products with t1, t4, t3, t2 of first order; B(s) has 12
/// numbers, of which A1 = B(s) - A0 takes 9; A2 = -B(s)^T; A3 has the structure of B.
struct Operators {
  Coriolis Bs, A3;
  Force t1, t2, t3;
  Vector3 t4;

  Force A0(const Motion& m) const { return cross_dual(m, t1); }
  Force A1(const Motion& m) const { return {Bs.K * m.w + Bs.f.cross(m.u), m.w.cross(Bs.f)}; }
  /// A4 m - B(s)^T m': angular halves only. u5 and u8 of the paper.
  Vector3 A4_minus_Bst(const Motion& m, const Motion& m2) const {
    return m.w.cross(t4) - Bs.transposed_times(m2);
  }
  Force A5(const Motion& m) const { return cross_dual(m, t3); }
  Force A7(const Motion& m) const { return cross_dual(m, t2); }

  Operators to_home(const HomePose& X) const {
    const Coriolis bs = X.coriolis_to_home(Bs);
    return {bs,           X.coriolis_to_home(A3), {bs.n, bs.f}, X.force_to_home(t2), X.force_to_home(t3),
            X.to_home(t4)};
  }
};

/// Of axis p, from its body's composite.
Operators second_order_operators(const CompositeBody& body, const Axis& p);

}  // namespace featherline::algorithms
