#include "reference/directional.hpp"

#include "reference/integrate.hpp"
#include "reference/solver.hpp"

#include <complex>

namespace featherline::reference {
namespace {

using Complex = std::complex<double>;
using DualComplex = Dual<Complex>;
using Eigen::VectorXd;
using model::Tree;

/// Small enough that its square vanishes against 1, far from underflow.
constexpr double step = 1e-40;

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

/// From inverse dynamics at rest.
template <class T>
VectorX<T> inertia_product(const Tree& tree, const VectorX<T>& q, const VectorXd& w) {
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
