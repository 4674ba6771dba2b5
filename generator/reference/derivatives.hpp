#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"
#include "reference/solver.hpp"

#include <Eigen/Core>

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
  /// f at (q (+) y_q (+) x_q, v + x_v + y_v), with x along e1 and y along e2.
  VectorX<Number> moved(const Directions& q, const Directions& v) const;

  Of of_;
  const model::Tree& tree_;
  const State& state_;
  Eigen::VectorXd zero_ = Eigen::VectorXd::Zero(tree_.nv);
};

/// The robot without gravity and external forces: they would cancel in differences of torques, and cost digits.
model::Tree without_loads(model::Tree tree);

/// d(M w)/dq and d(M^-1 w)/dq along x, with w held.
Eigen::VectorXd inertia_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);
Eigen::VectorXd inverse_derivative(const model::Tree& tree, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& w, const Eigen::VectorXd& x);

/// dM/dt while the robot moves with v.
Eigen::MatrixXd mass_matrix_rate(const model::Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace featherline::reference
