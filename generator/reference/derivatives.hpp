#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

/// Derivatives of the reference dynamics, by hyper-dual numbers. They are exact to rounding and need no formulas of
/// their own. Derivatives with respect to q are Lie derivatives (see integrate()), which are defined for joints with
/// several degrees of freedom, too.
namespace featherline::reference {

using catalog::State;

/// Directions in the tangent space.
struct Directions {
  Eigen::VectorXd x, y;
};

/// Inverse dynamics as a function of q and v with a held, or forward dynamics with tau held. Derivatives along
/// directions take one pass each. All entries of a matrix take nv passes, and those of a tensor nv^2.
class Directional {
 public:
  enum class Of { inverse_dynamics, forward_dynamics };
  /// Keeps references to tree and state.
  Directional(Of of, const model::Tree& tree, const State& state) : of_(of), tree_(tree), state_(state) {}

  Eigen::VectorXd dq(const Eigen::VectorXd& x) const;
  Eigen::VectorXd dv(const Eigen::VectorXd& x) const;
  /// D_y D_x f(q) = d/ds d/dt f((q (+) s y) (+) t x). The step of the later derivative is taken first. This order
  /// matters because rotations do not commute.
  Eigen::VectorXd dqdq(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
  Eigen::VectorXd dvdv(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
  Eigen::VectorXd dqdv(const Eigen::VectorXd& q_direction, const Eigen::VectorXd& v_direction) const;
  /// x^T H_qq y, x^T H_qv y, x^T H_vq y, x^T H_vv y of the Hessian of w^T f.
  Eigen::VectorXd hessian(const Directions& d) const;

 private:
  Of of_;
  const model::Tree& tree_;
  const State& state_;
};

/// M(q) x.
Eigen::VectorXd inertia_times(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& x);
/// d(M w)/dq and d(M^-1 w)/dq along x, with w held.
Eigen::VectorXd inertia_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);
Eigen::VectorXd inverse_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);

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

/// dM/dt while the robot moves with v.
Eigen::MatrixXd mass_matrix_rate(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// n x n x n, laid out as in the emitted code: data[i + n j + n^2 k].
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
