#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/dynamics/articulated_bodies.hpp"
#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {
namespace {

void write(Context& c, const char* x, const char* lambda, const ConstrainedSolution& solution,
           const std::vector<ConstraintMotion>& constraints) {
  c.keep(solution.lambda);
  c.keep(solution.x);
  c.output(x, solution.x);
  c.output_vector(lambda, WorldRows(c, constraints)(solution.lambda));
}

/// From products with M^-1 alone: columns P = M^-1 J^T, D = J P, a = M^-1 b + P lambda.
void constrained_dynamics_by(Context& c, const Solve& solve) {
  const Values free = solve(net_torque(c, c.input("v"), c.input("tau")));
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), {}});
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  const Values gamma = constraint_accelerations(constraints);
  std::vector<Values> P;
  Values right;
  for (std::size_t r = 0; r < J.size(); ++r) {
    P.push_back(solve(J[r]));
    right.push_back(-(gamma[r] + dot(J[r], free)));
  }
  Matrix D(static_cast<int>(J.size()));
  for (int r = 0; r < D.size(); ++r) {
    for (int k = 0; k <= r; ++k) D(r, k) = D(k, r) = dot(J[index(r)], P[index(k)]);
  }
  ConstrainedSolution solution{free, ConstraintFactor(c, D, active_rows(c)).solve(right)};
  c.begin_section("constraint forces and accelerations");
  for (std::size_t r = 0; r < P.size(); ++r) add_multiple(solution.x, solution.lambda[r], P[r]);
  write(c, "a", "lambda", solution, constraints);
}

}  // namespace

ConstrainedMotion::ConstrainedMotion(Context& c, const SparseFactor& factor, const Values& net_torque)
    : motions(constraint_motions(c, {c.input("v"), {}})),
      J(constraint_jacobian(c, motions)),
      solver(c, factor, J, active_rows(c)),
      world(c, motions) {
  c.begin_section("constraint forces and accelerations");
  const ConstrainedSolution solution = solver.solve(net_torque, constraint_accelerations(motions));
  lambda = c.keep(solution.lambda);
  a = c.keep(solution.x);
}

ConstrainedSolution constrained_motion(Context& c) {
  const SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  const Values b = net_torque(c, c.input("v"), c.input("tau"));
  const ConstrainedMotion motion(c, factor, b);
  return {motion.a, motion.world(motion.lambda)};
}

void constrained_dynamics_by_factor(Context& c) {
  const auto [a, lambda] = constrained_motion(c);
  c.output("a", a);
  c.output_vector("lambda", lambda);
}

void constrained_dynamics_by_articulated_bodies(Context& c) {
  constrained_dynamics_by(c, [bodies = ArticulatedBodies(c)](const Values& b) { return bodies.solve(b); });
}

void constrained_dynamics_by_pseudo_inverse(Context& c) {
  const SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  c.begin_section("inverse of the inertia");
  const Matrix Minv = factor.inverse();
  for (int k = 0; k < Minv.size(); ++k) {
    for (int r = k; r < Minv.size(); ++r)
      c.label(Minv(r, k), "Minv_" + std::to_string(r) + "_" + std::to_string(k));
  }
  constrained_dynamics_by(c, [&](const Values& b) {
    Values x;
    for (int r = 0; r < Minv.size(); ++r) x.push_back(dot(Minv.column(r), b));
    return x;
  });
}

void impulse_dynamics_by_factor(Context& c) {
  const SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {});
  const std::vector<Values> J = constraint_jacobian(c, constraints);
  const ConstrainedSolver solver(c, factor, J, active_rows(c));
  c.begin_section("impulses and velocities");
  const Values& v = c.input("v");
  ConstrainedSolution solution = solver.solve(c.zeros(), speeds_of_rows(J, v));
  for (std::size_t k = 0; k < v.size(); ++k) solution.x[k] += v[k];
  write(c, "v_after", "impulse", solution, constraints);
}

void delassus_by_factor(Context& c) {
  const SparseFactor factor = factor_in_section(c, joint_space_inertia(c));
  const LinkRows links(c, constraint_motions(c, {}, RowAxes::of_world));
  c.output_vector("D", delassus_matrix(c, factor, links, halves(c, factor, links.J)).column_major());
}

void constraint_residual(Context& c) {
  Values e, de;
  for (const ConstraintMotion& motion : constraint_motions(c, {c.input("v"), {}})) {
    if (motion.constraint().is_contact()) continue;
    const ConstraintRows<Scalar>& rows = motion.rows();
    e.insert(e.end(), rows.e.begin(), rows.e.end());
    de.insert(de.end(), rows.de.begin(), rows.de.end());
  }
  c.output_vector("e", e);
  c.output_vector("de", de);
}

}  // namespace featherline::algorithms
