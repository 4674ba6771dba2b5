#include "algorithms/dynamics/dynamics.hpp"

#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/articulated_bodies.hpp"

namespace featherline::algorithms {
namespace {

/// M^-1 from a solver, its lower triangle mirrored.
SquareMatrix inverse_by_columns(Context& context, const Solve& solve) {
  const int n = context.nv();
  SquareMatrix Z(n);
  for (int c = 0; c < n; ++c) {
    Coordinates unit = context.zeros();
    unit[index(c)] = Scalar(1.0);
    const Coordinates x = solve(unit);
    for (int r = c; r < n; ++r) Z(r, c) = Z(c, r) = x[index(r)];
  }
  return Z;
}

/// The first half of the solution has names.
Coordinates named_solution(const Context& context, const SparseFactor& factor, const Coordinates& b) {
  const Coordinates y = factor.half(b);
  for (std::size_t k = 0; k < y.size(); ++k) context.hint(y[k], "y_" + std::to_string(k));
  return factor.from_half(y);
}

SquareMatrix inverse_in_section(Context& context, const SparseFactor& factor) {
  context.begin_section("inverse of the inertia, from the factor");
  SquareMatrix Minv = factor.inverse();
  for (int c = 0; c < Minv.size(); ++c) {  // columns are computed one by one
    for (int r = c; r < Minv.size(); ++r)
      context.label(Minv(r, c), "Minv_" + std::to_string(r) + "_" + std::to_string(c));
  }
  return Minv;
}

/// A solver for the columns of derivatives, from M^-1 and the factor, both of which live on.
using MakeSolve = std::function<Solve(Context&, const SquareMatrix& Minv, const SparseFactor&)>;

LinearDynamics derivatives(Context& c, const Coordinates& v, const Coordinates& tau,
                           const MakeSolve& make_solve) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const auto [factor, a] = forward_dynamics(c, v, tau, own_frames);
  SquareMatrix Minv = inverse_in_section(c, factor);
  const FirstDerivatives id = first_derivatives(c, v, a, own_frames);
  c.begin_section("products with the inverse of the inertia");
  const Solve solve = make_solve(c, Minv, factor);
  SquareMatrix da_dq = negative_solution(c, id.dtau_dq, solve),
               da_dv = negative_solution(c, id.dtau_dv, solve);
  FloatingBase(c, v).set_columns(da_dq, da_dv);
  return {a, std::move(da_dq), std::move(da_dv), std::move(Minv)};
}

}  // namespace

Solve factor_solver(Context& context) {
  return [&context, factor = factor_in_section(context, joint_space_inertia(context))](const Coordinates& b) {
    context.begin_section("solution by the factor");
    return named_solution(context, factor, b);
  };
}

Solve articulated_solver(Context& context) {
  return [bodies = ArticulatedBodies(context)](const Coordinates& b) { return bodies.solve(b); };
}

Coordinates net_torque(Context& context, const Coordinates& v, const Coordinates& tau) {
  return tau - inverse_dynamics(context, v, context.zeros());
}

SparseFactor factor_in_section(Context& context, const SquareMatrix& M) {
  context.begin_section("factor of the inertia, M = L^T D L");
  return SparseFactor(M, &context);
}

FreeRobot::FreeRobot(Context& context, const OwnFrames& own_frames) : M(0) {
  const FirstDerivatives at_rest =
      first_derivatives(context, context.input("v"), context.zeros(), own_frames);
  M = at_rest.M;
  net_torque = context.input("tau") - at_rest.tau;
}

ForwardDynamics forward_dynamics(Context& context, const Coordinates& v, const Coordinates& tau,
                                 const OwnFrames& own_frames) {
  SparseFactor factor =
      factor_in_section(context, first_derivatives(context, v, context.zeros(), own_frames).M);
  const Coordinates net = net_torque(context, v, tau);
  context.begin_section("accelerations from the factor");
  Coordinates a = context.keep(named_solution(context, factor, net));
  return {std::move(factor), std::move(a)};
}

Solve linear_solver(Context& context) {
  return has_own_coordinates(context.tree()) ? articulated_solver(context) : factor_solver(context);
}

Solve numbered_solver(Context& context, const SparseFactor& factor) {
  return [&, side = 0](const Coordinates& b) mutable { return factor.solve(context, b, ++side); };
}

SquareMatrix negative_solution(Context& context, const SquareMatrix& B, const Solve& solve) {
  SquareMatrix C(B.size());
  for (int c = 0; c < B.size(); ++c) C.set_column(c, context.keep(-solve(B.column(c))));
  return C;
}

WeightedRates weighted_rates(Context& c, const Solve& solve, const Coordinates& v, const Coordinates& a,
                             const Coordinates& w) {
  const Coordinates mu = c.keep(solve(w));
  Coordinates held = a;
  for (const Coordinates* x : {&c.input("q"), &v}) held.insert(held.end(), x->begin(), x->end());
  const Gradient gradient(c, inverse_dynamics(c, v, a), mu, held);
  WeightedRates rates{-gradient.by_steps(), -gradient.by(v), mu};
  FloatingBase(c, v).set_products(w, rates.q, rates.v);
  return rates;
}

void aba_vjp(Context& c, MakeSolver* make_solver) {
  const Solve solve = make_solver(c);
  const Coordinates& v = c.input("v");
  const Coordinates a = c.keep(solve(net_torque(c, v, c.input("tau"))));
  const WeightedRates rates = weighted_rates(c, solve, v, a, c.input("w"));
  c.output("wq", rates.q);
  c.output("wv", rates.v);
  c.output("wtau", rates.tau);
}

void aza(Context& c, MakeSolver* make_solver) { c.output("x", make_solver(c)(c.input("b"))); }

void minv_by_factor(Context& c) {
  c.output("Minv", inverse_in_section(c, factor_in_section(c, joint_space_inertia(c))).column_major());
}

void minv_by_aza(Context& c) {
  c.output("Minv", inverse_by_columns(c, articulated_solver(c)).column_major());
}

LinearDynamics linear_by_dmm(Context& context, const Coordinates& v, const Coordinates& tau) {
  return derivatives(context, v, tau, [](Context&, const SquareMatrix& Minv, const SparseFactor&) -> Solve {
    return [&Minv](const Coordinates& b) { return Minv * b; };
  });
}

LinearDynamics linear_by_factor(Context& context, const Coordinates& v, const Coordinates& tau) {
  return derivatives(context, v, tau, [](Context& c, const SquareMatrix&, const SparseFactor& factor) {
    return numbered_solver(c, factor);
  });
}

LinearDynamics linear_by_aza(Context& context, const Coordinates& v, const Coordinates& tau) {
  return derivatives(context, v, tau, [](Context& c, const SquareMatrix&, const SparseFactor&) {
    return articulated_solver(c);
  });
}

}  // namespace featherline::algorithms
