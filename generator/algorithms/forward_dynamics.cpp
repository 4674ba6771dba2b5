#include "algorithms/forward_dynamics.hpp"

#include "algorithms/forward_parts.hpp"
#include "algorithms/mass_matrix.hpp"

namespace featherline::algorithms {
namespace {

Coordinates unit(int n, int k) {
  Coordinates e(static_cast<std::size_t>(n), Scalar(0.0));
  e[static_cast<std::size_t>(k)] = 1.0;
  return e;
}

/// M^-1 from a solver, its lower triangle mirrored.
SquareMatrix inverse_by_columns(int n, const Solve& solve) {
  SquareMatrix Z(n);
  for (int c = 0; c < n; ++c) {
    const Coordinates x = solve(unit(n, c));
    for (int r = c; r < n; ++r) Z(r, c) = Z(c, r) = x[static_cast<std::size_t>(r)];
  }
  return Z;
}

SquareMatrix negative_solution(const SquareMatrix& B, const Solve& solve) {
  SquareMatrix C(B.size());
  for (int c = 0; c < B.size(); ++c) {
    Coordinates x = solve(column(B, c));
    for (Scalar& e : x) e = -e;
    set_column(C, c, x);
  }
  return C;
}

ir::Function trace_aba(const model::CanonicalTree& tree, const std::function<Solve(Tracer&)>& make_solver) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "aba", "", forward_state(tree), {{"a", tree.nv}});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const Solve solve = make_solver(t);
  t.store_all(0, solve(net_torque(t, v, tau)));
  return t.take();
}

ir::Function trace_aza(const model::CanonicalTree& tree, const std::function<Solve(Tracer&)>& make_solver) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "aza", "", {{"q", tree.nq}, {"b", tree.nv}}, {{"x", tree.nv}});
  t.store_all(0, make_solver(t)(input_coordinates(t, 1)));
  return t.take();
}

/// What the last step of the forward-dynamics derivatives is made of.
struct LastStep {
  const SquareMatrix& Minv;
  const FirstDerivatives& id;
  const Solve& factor;
  Tracer& t;
};
struct Product {
  SquareMatrix da_dq, da_dv;
};

/// Columns of a floating base that need no solve. Turning the base only turns gravity in its axes, and a uniform
/// velocity of everything is only felt through the componentwise derivative of v, so with base acceleration
/// a_lin + w x v_lin - R^T g the torques stay the same where
///   d a_lin / d q_k = (R^T g) x e_k for the rotations,  d a_lin / d v_k = -w x e_k for the translations,
/// and the position does not matter at all.
void set_floating_columns(Tracer& t, const Coordinates& v, Product& d) {
  if (!t.tree().floating_base) return;
  const int n = t.tree().nv;
  const Vector3 g = base_gravity(t);
  const Vector3 w(v[3], v[4], v[5]);
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = base_axis(k);
    const Vector3 turned = g.cross(e), shifted = -w.cross(e);
    set_column(d.da_dq, k, zero_coordinates(t));
    Coordinates dq(static_cast<std::size_t>(n), Scalar(0.0)), dv = dq;
    for (std::size_t r = 0; r < 3; ++r) {
      dq[r] = turned[static_cast<Eigen::Index>(r)];
      dv[r] = shifted[static_cast<Eigen::Index>(r)];
    }
    set_column(d.da_dq, 3 + k, dq);
    set_column(d.da_dv, k, dv);
  }
}

ir::Function trace_aba_derivatives(const model::CanonicalTree& tree,
                                   const std::function<Product(const LastStep&)>& last) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  Tracer t(heavy, "aba_derivatives", "", forward_state(tree),
           {{"da_dq", n * n}, {"da_dv", n * n}, {"da_dtau", n * n}});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const FrameRoots roots = chosen_frames(tree);
  const auto [factor, a] = forward_dynamics(t, v, tau, roots);
  const Solve solve = [&f = factor](const Coordinates& b) { return f.solve(b); };
  const SquareMatrix Minv = factor.inverse();
  t.store_all(2, Minv.column_major());
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  Product product = last({Minv, id, solve, t});
  set_floating_columns(t, v, product);
  t.store_all(0, product.da_dq.column_major());
  t.store_all(1, product.da_dv.column_major());
  return t.take();
}

}  // namespace

ir::Function trace_aba_by_factor(const model::CanonicalTree& tree) { return trace_aba(tree, factor_solver); }
ir::Function trace_aba_by_articulated_bodies(const model::CanonicalTree& tree) {
  return trace_aba(tree, articulated_solver);
}

ir::Function trace_aza_by_factor(const model::CanonicalTree& tree) { return trace_aza(tree, factor_solver); }
ir::Function trace_aza_by_articulated_bodies(const model::CanonicalTree& tree) {
  return trace_aza(tree, articulated_solver);
}

ir::Function trace_minv_by_factor(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "minv", "", {{"q", tree.nq}}, {{"Minv", tree.nv * tree.nv}});
  t.store_all(0, SparseFactor(mass_matrix(t)).inverse().column_major());
  return t.take();
}

ir::Function trace_minv_by_aza(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "minv", "", {{"q", tree.nq}}, {{"Minv", tree.nv * tree.nv}});
  t.store_all(0, inverse_by_columns(tree.nv, articulated_solver(t)).column_major());
  return t.take();
}

ir::Function trace_aba_derivatives_by_dmm(const model::CanonicalTree& tree) {
  return trace_aba_derivatives(tree, [](const LastStep& s) {
    return Product{-s.Minv * s.id.dtau_dq, -s.Minv * s.id.dtau_dv};
  });
}

ir::Function trace_aba_derivatives_by_factor(const model::CanonicalTree& tree) {
  return trace_aba_derivatives(tree, [](const LastStep& s) {
    return Product{negative_solution(s.id.dtau_dq, s.factor), negative_solution(s.id.dtau_dv, s.factor)};
  });
}

ir::Function trace_aba_derivatives_by_aza(const model::CanonicalTree& tree) {
  return trace_aba_derivatives(tree, [](const LastStep& s) {
    const Solve solve = articulated_solver(s.t);
    return Product{negative_solution(s.id.dtau_dq, solve), negative_solution(s.id.dtau_dv, solve)};
  });
}

}  // namespace featherline::algorithms
