#include "model/tree.hpp"

namespace featherline::model {

Inertia& Inertia::operator+=(const Inertia& other) {
  mass += other.mass;
  h += other.h;
  J += other.J;
  return *this;
}

// Parallel axes with a first moment in place of a centre of mass, so that massless bodies need no special case:
// every particle at r in B lies at R r + p in P, and J = sum m (|r|^2 1 - r r^T).
Inertia Inertia::expressed_in(const Placement& X_PB) const {
  const Vector3& p = X_PB.p;
  const Vector3 g = X_PB.R * h + 0.5 * mass * p;
  Inertia in_P;
  in_P.mass = mass;
  in_P.h = X_PB.R * h + mass * p;
  in_P.J = X_PB.R * J * X_PB.R.transpose() + 2.0 * g.dot(p) * Matrix3::Identity() - g * p.transpose() -
           p * g.transpose();
  in_P.J = (0.5 * (in_P.J + in_P.J.transpose())).eval();
  return in_P;
}

}  // namespace featherline::model
