#include "reference/derivatives.hpp"

namespace featherline::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Tree;
using Of = Directional::Of;

VectorX<Number> moved_along(const Tree& tree, const VectorXd& q, const VectorXd& x) {
  return integrate<Number>(tree, lifted<double>(q, 1.0), lifted(x, Number::e1()));
}

}  // namespace

VectorX<Number> Directional::moved(const Directions& q, const Directions& v) const {
  const Number one = 1.0;
  const VectorX<Number> first = integrate<Number>(tree_, lifted(state_.q, one), lifted(q.y, Number::e2())),
                        at_q = integrate<Number>(tree_, first, lifted(q.x, Number::e1())),
                        at_v = lifted(state_.v, one) + lifted(v.x, Number::e1()) + lifted(v.y, Number::e2());
  Solver<Number> solver(tree_);
  return of_ == Of::inverse_dynamics ? solver.rnea(at_q, at_v, lifted(state_.a, one))
                                     : solver.aba(at_q, at_v, lifted(state_.tau, one));
}

VectorXd Directional::dq(const VectorXd& x) const {
  return part(moved({x, zero_}, {zero_, zero_}), &Number::d1);
}
VectorXd Directional::dv(const VectorXd& x) const {
  return part(moved({zero_, zero_}, {x, zero_}), &Number::d1);
}
VectorXd Directional::dqdq(const VectorXd& x, const VectorXd& y) const {
  return part(moved({x, y}, {zero_, zero_}), &Number::d12);
}
VectorXd Directional::dvdv(const VectorXd& x, const VectorXd& y) const {
  return part(moved({zero_, zero_}, {x, y}), &Number::d12);
}
VectorXd Directional::dqdv(const VectorXd& q_direction, const VectorXd& v_direction) const {
  return part(moved({q_direction, zero_}, {zero_, v_direction}), &Number::d12);
}

VectorXd Directional::hessian(const Directions& d) const {
  const VectorXd& w = state_.w;
  return Eigen::Vector4d(w.dot(dqdq(d.x, d.y)), w.dot(dqdv(d.x, d.y)), w.dot(dqdv(d.y, d.x)),
                         w.dot(dvdv(d.x, d.y)));
}

Tree without_loads(Tree tree) {
  tree.applied_forces.clear();
  tree.gravity.setZero();
  return tree;
}

VectorXd inertia_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const VectorX<Number> rest = VectorX<Number>::Zero(tree.nv), rate = lifted<double>(w, 1.0);
  const Tree free = without_loads(tree);
  return part(Solver<Number>(free).rnea(moved_along(tree, q, x), rest, rate), &Number::d1);
}

VectorXd inverse_derivative(const Tree& tree, const VectorXd& q, const VectorXd& w, const VectorXd& x) {
  const VectorX<Number> rest = VectorX<Number>::Zero(tree.nv), force = lifted<double>(w, 1.0);
  const Tree free = without_loads(tree);
  return part(Solver<Number>(free).aba(moved_along(tree, q, x), rest, force), &Number::d1);
}

MatrixXd mass_matrix_rate(const Tree& tree, const VectorXd& q, const VectorXd& v) {
  return part(Solver<Number>(tree).crba(moved_along(tree, q, v)), &Number::d1);
}

}  // namespace featherline::reference
