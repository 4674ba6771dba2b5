#include "algorithms/forward_parts.hpp"

#include "algorithms/articulated_bodies.hpp"
#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/mass_matrix.hpp"
#include "model/regroup.hpp"

namespace featherline::algorithms {

model::CanonicalTree with_grouped_inertias(const model::CanonicalTree& tree) {
  return regroup_inertias(tree, model::Grouping::J_xx);
}

std::vector<ir::Parameter> forward_state(const model::CanonicalTree& tree) {
  return {{"q", tree.nq}, {"v", tree.nv}, {"tau", tree.nv}};
}

Coordinates net_torque(Tracer& t, const Coordinates& v, const Coordinates& tau) {
  Coordinates net = inverse_dynamics(t, v, zero_coordinates(t));
  for (std::size_t k = 0; k < net.size(); ++k) net[k] = tau[k] - net[k];
  return net;
}

Solve factor_solver(Tracer& t) {
  return [factor = SparseFactor(mass_matrix(t))](const Coordinates& b) { return factor.solve(b); };
}

Solve articulated_solver(Tracer& t) {
  return [bodies = ArticulatedBodies(t)](const Coordinates& b) { return bodies.solve(b); };
}

Solve linear_solver(Tracer& t) {
  return has_own_coordinates(t.tree()) ? articulated_solver(t) : factor_solver(t);
}

Coordinates column(const SquareMatrix& A, int c) {
  Coordinates x;
  for (int r = 0; r < A.size(); ++r) x.push_back(A(r, c));
  return x;
}

void set_column(SquareMatrix& A, int c, const Coordinates& x) {
  for (int r = 0; r < A.size(); ++r) A(r, c) = x[static_cast<std::size_t>(r)];
}

ForwardDynamics forward_dynamics(Tracer& t, const Coordinates& v, const Coordinates& tau,
                                 const FrameRoots& roots) {
  SparseFactor factor(first_derivatives(t, v, zero_coordinates(t), roots).M);
  Coordinates a = factor.solve(net_torque(t, v, tau));
  return {std::move(factor), std::move(a)};
}

void store_all(Tracer& t, int first, const FirstDerivatives& id) {
  for (const SquareMatrix* A : {&id.M, &id.dtau_dq, &id.dtau_dv}) t.store_all(first++, A->column_major());
}

Vector3 base_gravity(Tracer& t) { return joint_motion(t, 0).R.to_child(to_scalar(t.tree().gravity)); }

Vector3 base_axis(int k) { return to_scalar(model::Vector3::Unit(k % 3)); }

}  // namespace featherline::algorithms
