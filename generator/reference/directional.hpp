#pragma once

#include "catalog/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

/// Derivatives of the reference dynamics along directions: one pass each, where all entries of a matrix would take nv
/// passes and those of a tensor nv^2. Exact to rounding, as those of derivatives.hpp.
namespace featherline::reference {

using catalog::State;

/// Vectors of the tangent space.
struct Directions {
  Eigen::VectorXd x, y;
};

/// Inverse dynamics as a function of q and v, a held; forward dynamics, tau held.
class Directional {
 public:
  enum class Of { inverse_dynamics, forward_dynamics };
  /// Keeps references to tree and state.
  Directional(Of of, const model::Tree& tree, const State& state) : of_(of), tree_(tree), state_(state) {}

  Eigen::VectorXd dq(const Eigen::VectorXd& x) const;
  Eigen::VectorXd dv(const Eigen::VectorXd& x) const;
  /// D_y D_x: the step of the later derivative is taken first, which matters where turns do not commute.
  Eigen::VectorXd dqdq(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
  Eigen::VectorXd dvdv(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const;
  Eigen::VectorXd dqdv(const Eigen::VectorXd& q_direction, const Eigen::VectorXd& v_direction) const;
  /// x^T H_qq y, x^T H_qv y, x^T H_vq y, x^T H_vv y of the Hessian of w^T f.
  Eigen::VectorXd hessian(const Directions& d) const;

 private:
  template <class T>
  Eigen::Matrix<T, Eigen::Dynamic, 1> evaluate(const Eigen::Matrix<T, Eigen::Dynamic, 1>& q,
                                               const Eigen::Matrix<T, Eigen::Dynamic, 1>& v) const;

  Of of_;
  const model::Tree& tree_;
  const State& state_;
};

/// M(q) x.
Eigen::VectorXd inertia_times(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& x);
/// d(M w)/dq and d(M^-1 w)/dq along x, w held.
Eigen::VectorXd inertia_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);
Eigen::VectorXd inverse_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);

}  // namespace featherline::reference
