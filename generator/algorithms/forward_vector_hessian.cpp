#include "algorithms/forward_parts.hpp"
#include "algorithms/forward_second_derivatives.hpp"
#include "algorithms/vector_hessian.hpp"

namespace featherline::algorithms {
namespace {

/// Q = P^T M^-1, row by row: row x solves M Q(x, :)^T = P(:, x).
SquareMatrix solve_rows(const SparseFactor& factor, const SquareMatrix& P) {
  SquareMatrix Q(P.size());
  for (int x = 0; x < P.size(); ++x) {
    const Coordinates row = factor.solve(column(P, x));
    for (int k = 0; k < P.size(); ++k) Q(x, k) = row[static_cast<std::size_t>(k)];
  }
  return Q;
}

struct Blocks {
  SquareMatrix qq, qv, vv;
};

/// Rows and columns of a floating base that are known: where it is does not matter; turning it only turns gravity; a
/// uniform velocity is only felt through the componentwise derivative of v (see forward_dynamics.cpp). What is left
/// depends on the base's own coordinates alone.
void set_floating_base(Tracer& t, const Coordinates& w, Blocks& H) {
  if (!t.tree().floating_base) return;
  const int n = t.tree().nv;
  const Vector3 g = base_gravity(t), weight(w[0], w[1], w[2]);
  for (int b = 0; b < 6; ++b) {
    for (int k = 0; k < n; ++k) {
      const bool turns = b >= 3 && k >= 3 && k < 6;
      H.qq(b, k) = turns ? weight.dot(g.cross(base_axis(k)).cross(base_axis(b))) : Scalar(0.0);
      H.qq(k, b) = turns ? weight.dot(g.cross(base_axis(b)).cross(base_axis(k))) : Scalar(0.0);
      H.qv(b, k) = 0.0;
      if (b >= 3) continue;
      H.qv(k, b) = 0.0;
      H.vv(b, k) = H.vv(k, b) = k >= 3 && k < 6 ? weight.dot(base_axis(b).cross(base_axis(k))) : Scalar(0.0);
    }
  }
}

}  // namespace

ir::Function trace_aba_vector_hessian(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  std::vector<ir::Parameter> inputs = forward_state(tree);
  inputs.push_back({"w", n});
  Tracer t(heavy, "aba_vector_hessian", "", inputs, {{"H", 4 * n * n}});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2), w = input_coordinates(t, 3);
  const FrameRoots roots = frames(tree);
  const auto [factor, a] = forward_dynamics(t, v, tau, roots);
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  const VectorHessian h = vector_hessian(t, v, a, factor.solve(w), roots);
  const SquareMatrix Q = solve_rows(factor, h.dMw_dq);
  const SquareMatrix Q_dq = Q * id.dtau_dq, Q_dv = Q * id.dtau_dv;
  Blocks H{SquareMatrix(n), SquareMatrix(n), SquareMatrix(n)};
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < n; ++k) {
      H.qq(j, k) = Q_dq(j, k) + Q_dq(k, j) - h.qq(j, k);
      H.qv(j, k) = Q_dv(j, k) - h.qv(j, k);
      H.vv(j, k) = -h.vv(j, k);
    }
  }
  set_floating_base(t, w, H);
  t.store_all(0, hessian_entries(H.qq, H.qv, H.vv));
  return t.take();
}

ir::Function trace_minv_vector_derivative(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  Tracer t(heavy, "minv_vector_derivative", "", {{"q", tree.nq}, {"w", n}}, {{"dMinvw_dq", n * n}});
  const Coordinates zero = zero_coordinates(t), w = input_coordinates(t, 1);
  const FrameRoots roots = frames(tree);
  const SparseFactor factor(first_derivatives(t, zero, zero, roots).M);
  const SquareMatrix Q = solve_rows(factor, vector_hessian(t, zero, zero, factor.solve(w), roots).dMw_dq);
  SquareMatrix out(n);
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < n; ++r) out(r, c) = -Q(c, r);
  }
  t.store_all(0, out.column_major());
  return t.take();
}

}  // namespace featherline::algorithms
