#pragma once

#include "model/tree.hpp"
#include "reference/joint.hpp"

/// Steps in the tangent space: q (+) dv, where dv has the coordinates of v. Lie derivatives are derivatives along
/// these steps, D_j f(q) = d/de f(q (+) e e_j) at e = 0.
namespace featherline::reference {

/// q (+) dv; q is nq, dv is nv. Each joint moves for unit time with the constant velocity dv in its body frame.
template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // its driver takes the step
    step_joint<T>(body.joint, dv.data() + body.joint.idx_v, q.data() + body.joint.idx_q);
  }
  return q;
}

}  // namespace featherline::reference
