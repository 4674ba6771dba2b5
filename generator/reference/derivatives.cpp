#include "reference/derivatives.hpp"

#include "reference/solver.hpp"

#include <complex>

namespace featherline::reference {
namespace {

using Complex = std::complex<double>;
using DualComplex = Dual<Complex>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// So small that its square vanishes against 1, and far from underflow.
constexpr double step = 1e-40;

template <class T>
VectorX<T> along(Eigen::Index size, int j, const T& length) {
  VectorX<T> direction = VectorX<T>::Zero(size);
  direction[j] = length;
  return direction;
}

const Complex imaginary_step(0.0, step);
const DualComplex outer_step{imaginary_step};              // derivative taken last: imaginary
const DualComplex inner_step{Complex(0.0), Complex(1.0)};  // derivative taken first: dual

/// d f(x) / dx_j as the columns of a matrix, where f maps vectors to vectors. `perturbed(j)` is f at x + i step e_j.
template <class Perturbed>
MatrixXd complex_step(int n, Perturbed perturbed) {
  MatrixXd derivative(n, n);
  for (int j = 0; j < n; ++j) derivative.col(j) = perturbed(j).imag() / step;
  return derivative;
}

/// The tensor of mixed second derivatives. `perturbed(j, k)` is f with the dual step j and the imaginary step k.
template <class Perturbed>
Tensor second_derivative(int n, Perturbed perturbed) {
  Tensor tensor(n);
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      const VectorX<DualComplex> f = perturbed(j, k);
      for (int i = 0; i < n; ++i) tensor(i, j, k) = f[i].du.imag() / step;
    }
  }
  return tensor;
}

/// First derivatives with respect to q and v of f(q, v, w), a method of the solver.
template <class Method>
std::pair<MatrixXd, MatrixXd> first_derivatives(const model::Tree& tree, Method method, const VectorXd& q,
                                                const VectorXd& v, const VectorXd& w) {
  Solver<Complex> solver(tree);
  const VectorX<Complex> qc = q.cast<Complex>(), vc = v.cast<Complex>(), wc = w.cast<Complex>();
  const auto e = [&](int j) { return along(tree.nv, j, imaginary_step); };
  return {complex_step(tree.nv, [&](int j) { return (solver.*method)(integrate(tree, qc, e(j)), vc, wc); }),
          complex_step(tree.nv, [&](int j) { return (solver.*method)(qc, vc + e(j), wc); })};
}

struct SecondDerivatives {
  Tensor dqdq, dvdv, dqdv;
};

/// D_k D_j f(q) = d/ds d/dt f((q (+) s e_k) (+) t e_j). The step of the later derivative is taken first.
template <class Method>
SecondDerivatives second_derivatives(const model::Tree& tree, Method method, const VectorXd& q,
                                     const VectorXd& v, const VectorXd& w) {
  using Vector = VectorX<DualComplex>;
  Solver<DualComplex> solver(tree);
  const Vector qd = q.cast<DualComplex>(), vd = v.cast<DualComplex>(), wd = w.cast<DualComplex>();
  const auto outer = [&](int k) { return along(tree.nv, k, outer_step); };
  const auto inner = [&](int j) { return along(tree.nv, j, inner_step); };
  const auto f = [&](const Vector& x, const Vector& y) { return (solver.*method)(x, y, wd); };
  return {second_derivative(
              tree.nv,
              [&](int j, int k) { return f(integrate(tree, integrate(tree, qd, outer(k)), inner(j)), vd); }),
          second_derivative(tree.nv, [&](int j, int k) { return f(qd, vd + outer(k) + inner(j)); }),
          second_derivative(tree.nv,
                            [&](int j, int k) { return f(integrate(tree, qd, inner(j)), vd + outer(k)); })};
}

/// dA(i,j)/dq_k of a method that returns a matrix A(q).
template <class Method>
Tensor matrix_derivative(const model::Tree& tree, Method method, const VectorXd& q) {
  Solver<Complex> solver(tree);
  Tensor tensor(tree.nv);
  for (int k = 0; k < tree.nv; ++k) {
    const VectorX<Complex> moved =
        integrate<Complex>(tree, q.cast<Complex>(), along(tree.nv, k, imaginary_step));
    const MatrixXd derivative = (solver.*method)(moved).imag() / step;
    for (int j = 0; j < tree.nv; ++j) {
      for (int i = 0; i < tree.nv; ++i) tensor(i, j, k) = derivative(i, j);
    }
  }
  return tensor;
}

}  // namespace

Tensor mass_matrix_derivative(const model::Tree& tree, const VectorXd& q) {
  return matrix_derivative(tree, &Solver<Complex>::crba, q);
}

Tensor minv_derivative(const model::Tree& tree, const VectorXd& q) {
  return matrix_derivative(tree, &Solver<Complex>::minv, q);
}

RneaDerivatives rnea_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                                 const VectorXd& a) {
  auto [dq, dv] = first_derivatives(tree, &Solver<Complex>::rnea, q, v, a);
  return {std::move(dq), std::move(dv)};
}

AbaDerivatives aba_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                               const VectorXd& tau) {
  auto [dq, dv] = first_derivatives(tree, &Solver<Complex>::aba, q, v, tau);
  return {std::move(dq), std::move(dv), Solver<double>(tree).minv(q)};
}

RneaSecondDerivatives rnea_second_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                                              const VectorXd& a) {
  SecondDerivatives d2 = second_derivatives(tree, &Solver<DualComplex>::rnea, q, v, a);
  return {std::move(d2.dqdq), std::move(d2.dvdv), std::move(d2.dqdv), mass_matrix_derivative(tree, q)};
}

AbaSecondDerivatives aba_second_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                                            const VectorXd& tau) {
  SecondDerivatives d2 = second_derivatives(tree, &Solver<DualComplex>::aba, q, v, tau);
  Tensor d2a_dqdtau(tree.nv);  // a is linear in tau: dM^-1(i,k) / dq_j
  const Tensor dMinv = minv_derivative(tree, q);
  for (int k = 0; k < tree.nv; ++k) {
    for (int j = 0; j < tree.nv; ++j) {
      for (int i = 0; i < tree.nv; ++i) d2a_dqdtau(i, j, k) = dMinv(i, k, j);
    }
  }
  return {std::move(d2.dqdq), std::move(d2.dvdv), std::move(d2.dqdv), std::move(d2a_dqdtau)};
}

namespace {

using model::Tree;

/// The tangent vector `direction` times an infinitesimal step.
VectorX<Complex> imaginary(const VectorXd& direction) {
  return direction.cast<Complex>() * Complex(0.0, step);
}
VectorX<DualComplex> outer(const VectorXd& direction) {
  return direction.cast<DualComplex>() * DualComplex(Complex(0.0, step));
}
VectorX<DualComplex> inner(const VectorXd& direction) {
  return direction.cast<DualComplex>() * DualComplex(Complex(0.0), Complex(1.0));
}

VectorXd derivative(const VectorX<Complex>& f) { return f.imag() / step; }
VectorXd second_derivative(const VectorX<DualComplex>& f) {
  VectorXd d(f.size());
  for (Eigen::Index i = 0; i < f.size(); ++i) d[i] = f[i].du.imag() / step;
  return d;
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

template <class T>
VectorX<T> Directional::evaluate(const VectorX<T>& q, const VectorX<T>& v) const {
  Solver<T> solver(tree_);
  return of_ == Of::inverse_dynamics ? solver.rnea(q, v, state_.a.cast<T>())
                                     : solver.aba(q, v, state_.tau.cast<T>());
}

VectorXd Directional::dq(const VectorXd& x) const {
  const VectorX<Complex> moved = integrate<Complex>(tree_, state_.q.cast<Complex>(), imaginary(x));
  return derivative(evaluate<Complex>(moved, state_.v.cast<Complex>()));
}

VectorXd Directional::dv(const VectorXd& x) const {
  return derivative(evaluate<Complex>(state_.q.cast<Complex>(), state_.v.cast<Complex>() + imaginary(x)));
}

VectorXd Directional::dqdq(const VectorXd& x, const VectorXd& y) const {
  const VectorX<DualComplex> moved = integrate<DualComplex>(tree_, state_.q.cast<DualComplex>(), outer(y));
  return second_derivative(
      evaluate<DualComplex>(integrate<DualComplex>(tree_, moved, inner(x)), state_.v.cast<DualComplex>()));
}

VectorXd Directional::dvdv(const VectorXd& x, const VectorXd& y) const {
  return second_derivative(evaluate<DualComplex>(state_.q.cast<DualComplex>(),
                                                 state_.v.cast<DualComplex>() + outer(y) + inner(x)));
}

VectorXd Directional::dqdv(const VectorXd& q_direction, const VectorXd& v_direction) const {
  return second_derivative(
      evaluate<DualComplex>(integrate<DualComplex>(tree_, state_.q.cast<DualComplex>(), inner(q_direction)),
                            state_.v.cast<DualComplex>() + outer(v_direction)));
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
  const VectorX<Complex> moved = integrate<Complex>(tree, q.cast<Complex>(), imaginary(x));
  return derivative(inertia_product<Complex>(tree, moved, w));
}

VectorXd inverse_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const VectorX<Complex> moved = integrate<Complex>(tree, q.cast<Complex>(), imaginary(x));
  return derivative(Solver<Complex>(tree).minv(moved) * w.cast<Complex>());
}

}  // namespace featherline::reference
