#pragma once

#include "reference/expected.hpp"

#include <Eigen/Core>

#include <vector>

/// Derivatives of the reference dynamics by name, as matrices and tensors.
namespace featherline::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// n x n^2: T(i, j, k) in row i and column j + n k, as in the emitted code.
using Tensor = MatrixXd;

/// The arrays of a function at a state, with nv rows.
inline std::vector<MatrixXd> expected_arrays(const char* function, const model::Tree& tree, const VectorXd& q,
                                             const VectorXd& v, const VectorXd& a, const VectorXd& tau) {
  reference::State state;
  state.q = q;
  state.v = v;
  state.a = a;
  state.tau = tau;
  std::vector<MatrixXd> arrays;
  for (const reference::OutputArray& array : reference::find_outputs(function)->compute(tree, state)) {
    const auto size = static_cast<Eigen::Index>(array.values.size());
    arrays.push_back(Eigen::Map<const MatrixXd>(array.values.data(), tree.nv, size / tree.nv));
  }
  return arrays;
}

struct RneaDerivatives {
  MatrixXd dtau_dq, dtau_dv;
};
inline RneaDerivatives rnea_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                                        const VectorXd& a) {
  const auto d = expected_arrays("rnea_derivatives", tree, q, v, a, {});
  return {d[0], d[1]};
}

struct AbaDerivatives {
  MatrixXd da_dq, da_dv, da_dtau;  ///< da_dtau = M^-1
};
inline AbaDerivatives aba_derivatives(const model::Tree& tree, const VectorXd& q, const VectorXd& v,
                                      const VectorXd& tau) {
  const auto d = expected_arrays("aba_derivatives", tree, q, v, {}, tau);
  return {d[0], d[1], d[2]};
}

/// d2tau_dqdq(i,j,k) = D_k (D_j tau_i), not symmetric in j and k inside a floating, spherical or planar joint;
/// d2tau_dqdv(i,j,k) = d2 tau_i / (dq_j dv_k); dM_dq(i,j,k) = dM(i,j) / dq_k.
struct RneaSecondDerivatives {
  Tensor d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq;
};
inline RneaSecondDerivatives rnea_second_derivatives(const model::Tree& tree, const VectorXd& q,
                                                     const VectorXd& v, const VectorXd& a) {
  const auto d = expected_arrays("rnea_second_derivatives", tree, q, v, a, {});
  return {d[0], d[1], d[2], d[3]};
}

/// The same for a(q, v, tau); d2a_dqdtau(i,j,k) = d2 a_i / (dq_j dtau_k).
struct AbaSecondDerivatives {
  Tensor d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau;
};
inline AbaSecondDerivatives aba_second_derivatives(const model::Tree& tree, const VectorXd& q,
                                                   const VectorXd& v, const VectorXd& tau) {
  const auto d = expected_arrays("aba_second_derivatives", tree, q, v, {}, tau);
  return {d[0], d[1], d[2], d[3]};
}

}  // namespace featherline::test
