#include "reference/second_order_outputs.hpp"

#include "reference/derivatives.hpp"

namespace featherline::reference {
namespace {

using Eigen::MatrixXd;
using model::Tree;

OutputArray array(const std::string& name, const Tensor& values) { return {name, values.data}; }

OutputArray array(const std::string& name, const MatrixXd& values) {
  return {name, {values.data(), values.data() + values.size()}};
}

MatrixXd contract(const Tensor& T, const Eigen::VectorXd& w) {
  const auto n = static_cast<int>(w.size());
  MatrixXd sum = MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) sum(j, k) += w[i] * T(i, j, k);
    }
  }
  return sum;
}

/// [qq, qv; qv^T, vv].
MatrixXd hessian(const Tensor& qq, const Tensor& qv, const Tensor& vv, const Eigen::VectorXd& w) {
  const Eigen::Index n = w.size();
  MatrixXd H(2 * n, 2 * n);
  const MatrixXd mixed = contract(qv, w);
  H << contract(qq, w), mixed, mixed.transpose(), contract(vv, w);
  return H;
}

}  // namespace

Outputs rnea_second_derivatives_outputs(const Tree& tree, const State& x) {
  const RneaSecondDerivatives d = rnea_second_derivatives(tree, x.q, x.v, x.a);
  return {array("d2tau_dqdq", d.d2tau_dqdq), array("d2tau_dvdv", d.d2tau_dvdv),
          array("d2tau_dqdv", d.d2tau_dqdv), array("dM_dq", d.dM_dq)};
}

Outputs aba_second_derivatives_outputs(const Tree& tree, const State& x) {
  const AbaSecondDerivatives d = aba_second_derivatives(tree, x.q, x.v, x.tau);
  return {array("d2a_dqdq", d.d2a_dqdq), array("d2a_dvdv", d.d2a_dvdv), array("d2a_dqdv", d.d2a_dqdv),
          array("d2a_dqdtau", d.d2a_dqdtau)};
}

Outputs rnea_vector_hessian_outputs(const Tree& tree, const State& x) {
  const RneaSecondDerivatives d = rnea_second_derivatives(tree, x.q, x.v, x.a);
  return {array("H", hessian(d.d2tau_dqdq, d.d2tau_dqdv, d.d2tau_dvdv, x.w))};
}

Outputs aba_vector_hessian_outputs(const Tree& tree, const State& x) {
  const AbaSecondDerivatives d = aba_second_derivatives(tree, x.q, x.v, x.tau);
  return {array("H", hessian(d.d2a_dqdq, d.d2a_dqdv, d.d2a_dvdv, x.w))};
}

Outputs mass_matrix_vector_derivative_outputs(const Tree& tree, const State& x) {
  return {array("dMw_dq", contract(mass_matrix_derivative(tree, x.q), x.w))};
}

Outputs minv_vector_derivative_outputs(const Tree& tree, const State& x) {
  return {array("dMinvw_dq", contract(minv_derivative(tree, x.q), x.w))};
}

}  // namespace featherline::reference
