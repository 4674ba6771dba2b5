#pragma once

#include "model/tree.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

/// Derivatives of the reference dynamics, by perturbing its inputs in an imaginary and a dual direction: exact to
/// rounding, without a formula of their own. Derivatives with respect to q are Lie derivatives (integrate.hpp),
/// valid for joints with several degrees of freedom.
namespace featherline::reference {

struct RneaDerivatives {
  Eigen::MatrixXd dtau_dq, dtau_dv;  ///< nv x nv; dtau_da is the mass matrix
};
RneaDerivatives rnea_derivatives(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& a);

struct AbaDerivatives {
  Eigen::MatrixXd da_dq, da_dv, da_dtau;  ///< nv x nv; da_dtau = M^-1
};
AbaDerivatives aba_derivatives(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& tau);

/// n x n x n, laid out as the emitted code does: data[i + n j + n^2 k].
struct Tensor {
  int n = 0;
  std::vector<double> data;

  explicit Tensor(int size) : n(size), data(static_cast<std::size_t>(size) * size * size) {}
  double& operator()(int i, int j, int k) { return data[i + static_cast<std::size_t>(n) * (j + n * k)]; }
  double operator()(int i, int j, int k) const { return data[i + static_cast<std::size_t>(n) * (j + n * k)]; }
};

/// (i, j, k): dM(i,j) / dq_k and dM^-1(i,j) / dq_k.
Tensor mass_matrix_derivative(const model::Tree& tree, const Eigen::VectorXd& q);
Tensor minv_derivative(const model::Tree& tree, const Eigen::VectorXd& q);

/// d2tau_dqdq(i,j,k) = D_k (D_j tau_i), not symmetric in j and k inside a floating, spherical or planar joint;
/// d2tau_dqdv(i,j,k) = d2 tau_i / (dq_j dv_k); dM_dq(i,j,k) = dM(i,j) / dq_k.
struct RneaSecondDerivatives {
  Tensor d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq;
};
RneaSecondDerivatives rnea_second_derivatives(const model::Tree& tree, const Eigen::VectorXd& q,
                                              const Eigen::VectorXd& v, const Eigen::VectorXd& a);

/// The same for a(q, v, tau); d2a_dqdtau(i,j,k) = d2 a_i / (dq_j dtau_k).
struct AbaSecondDerivatives {
  Tensor d2a_dqdq, d2a_dvdv, d2a_dqdv, d2a_dqdtau;
};
AbaSecondDerivatives aba_second_derivatives(const model::Tree& tree, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& v, const Eigen::VectorXd& tau);

}  // namespace featherline::reference
