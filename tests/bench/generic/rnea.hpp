#pragma once

#include "generic/model.hpp"

namespace featherline::bench::generic {

/// Recursive Newton-Euler in body coordinates, and its derivatives by applying the chain rule to every line
/// of it (RNEACR, the method of Carpentier and Mansard 2018 in the words of paper 001): for each coordinate
/// j, motions change in the subtree of j, forces there and on the path to the root; O(N d). Floating joints included.
class ChainRuleRnea {
 public:
  explicit ChainRuleRnea(const Model& model);

  /// tau [N or N m] of the state; also what derivatives() builds on.
  const VectorXd& inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  /// Inverse dynamics, then d tau / dq and d tau / dv.
  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;           ///< in the parent
    Vector6 v, a, f;  ///< in the body frame; f summed over the subtree after the backward sweep
    Vector6 v_from_parent, a_from_parent, joint_velocity;
    Vector6 momentum;
  };
  /// Derivative of a body's motion and force with respect to one coordinate or velocity.
  struct Change {
    Vector6 v, a, f;
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void change_of_joint(int j, const Vector6& S, Change& dq, Change& dv) const;
  void finish_change(int i, Change& change) const;
  void store(int i, int c, const Vector6& fq, const Vector6& fv);
  void column(int j, int k);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const Body& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  static Change& at(std::vector<Change>& x, int i) { return x[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  std::vector<Change> by_q_, by_v_;
  VectorXd tau_;
  MatrixXd dtau_dq_, dtau_dv_;
};

}  // namespace featherline::bench::generic
