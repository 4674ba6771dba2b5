#include "reference/derivatives.hpp"

#include "reference/solver.hpp"

namespace featherline::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Tree;
using Vector = VectorX<Number>;

/// The direction of the derivative that is taken first.
Vector inner(const VectorXd& x) { return x.cast<Number>() * Number::e1(); }
/// The direction of the derivative that is taken last.
Vector outer(const VectorXd& x) { return x.cast<Number>() * Number::e2(); }

Vector moved(const Tree& tree, const VectorXd& q, const VectorXd& x) {
  return integrate<Number>(tree, q.cast<Number>(), inner(x));
}

Vector evaluate(Directional::Of of, const Tree& tree, const State& state, const Vector& q, const Vector& v) {
  Solver<Number> solver(tree);
  return of == Directional::Of::inverse_dynamics ? solver.rnea(q, v, state.a.cast<Number>())
                                                 : solver.aba(q, v, state.tau.cast<Number>());
}

/// Computed from inverse dynamics at rest, without external forces: they would cancel, and cost digits.
template <class T>
VectorX<T> inertia_product(Tree tree, const VectorX<T>& q, const VectorXd& w) {
  tree.applied_forces.clear();
  Solver<T> solver(tree);
  const VectorX<T> rest = VectorX<T>::Zero(tree.nv);
  return solver.rnea(q, rest, w.cast<T>()) - solver.rnea(q, rest, rest);
}

}  // namespace

VectorXd Directional::dq(const VectorXd& x) const {
  return part(evaluate(of_, tree_, state_, moved(tree_, state_.q, x), state_.v.cast<Number>()), &Number::d1);
}

VectorXd Directional::dv(const VectorXd& x) const {
  return part(evaluate(of_, tree_, state_, state_.q.cast<Number>(), state_.v.cast<Number>() + inner(x)),
              &Number::d1);
}

VectorXd Directional::dqdq(const VectorXd& x, const VectorXd& y) const {
  const Vector first = integrate<Number>(tree_, state_.q.cast<Number>(), outer(y)),
               q = integrate<Number>(tree_, first, inner(x));
  return part(evaluate(of_, tree_, state_, q, state_.v.cast<Number>()), &Number::d12);
}

VectorXd Directional::dvdv(const VectorXd& x, const VectorXd& y) const {
  const Vector v = state_.v.cast<Number>() + inner(x) + outer(y);
  return part(evaluate(of_, tree_, state_, state_.q.cast<Number>(), v), &Number::d12);
}

VectorXd Directional::dqdv(const VectorXd& q_direction, const VectorXd& v_direction) const {
  const Vector v = state_.v.cast<Number>() + outer(v_direction);
  return part(evaluate(of_, tree_, state_, moved(tree_, state_.q, q_direction), v), &Number::d12);
}

VectorXd Directional::hessian(const Directions& d) const {
  const VectorXd& w = state_.w;
  return Eigen::Vector4d(w.dot(dqdq(d.x, d.y)), w.dot(dqdv(d.x, d.y)), w.dot(dqdv(d.y, d.x)),
                         w.dot(dvdv(d.x, d.y)));
}

VectorXd inertia_times(const Tree& tree, const VectorXd& q, const VectorXd& x) {
  return inertia_product<double>(tree, q, x);
}

VectorXd inertia_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  return part(inertia_product<Number>(tree, moved(tree, q, x), w), &Number::d1);
}

VectorXd inverse_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  return part(Solver<Number>(tree).minv(moved(tree, q, x)), &Number::d1) * w;
}

MatrixXd mass_matrix_rate(const Tree& tree, const VectorXd& q, const VectorXd& v) {
  return part(Solver<Number>(tree).crba(moved(tree, q, v)), &Number::d1);
}

namespace {

using Of = Directional::Of;

/// Column j is f(e_j).
template <class F>
MatrixXd columns(int n, const F& f) {
  MatrixXd matrix(n, n);
  for (int j = 0; j < n; ++j) matrix.col(j) = f(VectorXd::Unit(n, j));
  return matrix;
}

/// (., j, k) is column j of f(e_k), or f(e_j, e_k).
template <class F>
Tensor slices(int n, const F& f) {
  Tensor tensor(n);
  for (int k = 0; k < n; ++k)
    Eigen::Map<MatrixXd>(&tensor(0, 0, k), n, n) = f(VectorXd(VectorXd::Unit(n, k)));
  return tensor;
}
template <class F>
Tensor mixed(int n, const F& f) {
  return slices(n, [&](const VectorXd& y) { return columns(n, [&](const VectorXd& x) { return f(x, y); }); });
}

struct SecondDerivatives {
  Tensor dqdq, dvdv, dqdv;

  explicit SecondDerivatives(int n, const Directional& f)
      : dqdq(mixed(n, [&](const auto& x, const auto& y) { return f.dqdq(x, y); })),
        dvdv(mixed(n, [&](const auto& x, const auto& y) { return f.dvdv(x, y); })),
        dqdv(mixed(n, [&](const auto& x, const auto& y) { return f.dqdv(x, y); })) {}
};

State at(const VectorXd& q, const VectorXd& v, const VectorXd& a, const VectorXd& tau) {
  State state;
  state.q = q;
  state.v = v;
  state.a = a;
  state.tau = tau;
  return state;
}

}  // namespace

Tensor mass_matrix_derivative(const Tree& tree, const VectorXd& q) {
  return slices(tree.nv, [&](const VectorXd& x) { return mass_matrix_rate(tree, q, x); });
}

Tensor minv_derivative(const Tree& tree, const VectorXd& q) {
  return slices(tree.nv, [&](const VectorXd& x) {
    return MatrixXd(part(Solver<Number>(tree).minv(moved(tree, q, x)), &Number::d1));
  });
}

RneaDerivatives rnea_derivatives(const Tree& tree, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const State state = at(q, v, a, {});
  const Directional f(Of::inverse_dynamics, tree, state);
  return {columns(tree.nv, [&](const VectorXd& x) { return f.dq(x); }),
          columns(tree.nv, [&](const VectorXd& x) { return f.dv(x); })};
}

AbaDerivatives aba_derivatives(const Tree& tree, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  const State state = at(q, v, {}, tau);
  const Directional f(Of::forward_dynamics, tree, state);
  return {columns(tree.nv, [&](const VectorXd& x) { return f.dq(x); }),
          columns(tree.nv, [&](const VectorXd& x) { return f.dv(x); }), Solver<double>(tree).minv(q)};
}

RneaSecondDerivatives rnea_second_derivatives(const Tree& tree, const VectorXd& q, const VectorXd& v,
                                              const VectorXd& a) {
  const State state = at(q, v, a, {});
  SecondDerivatives d2(tree.nv, Directional(Of::inverse_dynamics, tree, state));
  return {std::move(d2.dqdq), std::move(d2.dvdv), std::move(d2.dqdv), mass_matrix_derivative(tree, q)};
}

AbaSecondDerivatives aba_second_derivatives(const Tree& tree, const VectorXd& q, const VectorXd& v,
                                            const VectorXd& tau) {
  const State state = at(q, v, {}, tau);
  SecondDerivatives d2(tree.nv, Directional(Of::forward_dynamics, tree, state));
  Tensor d2a_dqdtau(tree.nv);  // a is linear in tau: dM^-1(i,k) / dq_j
  const Tensor dMinv = minv_derivative(tree, q);
  for (int k = 0; k < tree.nv; ++k) {
    for (int j = 0; j < tree.nv; ++j) {
      for (int i = 0; i < tree.nv; ++i) d2a_dqdtau(i, j, k) = dMinv(i, k, j);
    }
  }
  return {std::move(d2.dqdq), std::move(d2.dvdv), std::move(d2.dqdv), std::move(d2a_dqdtau)};
}

}  // namespace featherline::reference
