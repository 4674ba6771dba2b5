#pragma once

#include "generic/model.hpp"

namespace featherline::bench::generic {

/// The articulated-body recursion split into what depends on q alone and what is left per right-hand side:
/// with zero velocity and gravity this is the ABA-Zero-Algorithm (AZA, 001 section IV), x = M^-1 b in O(N).
class ArticulatedFactor {
 public:
  explicit ArticulatedFactor(const Model& model);

  /// Articulated inertias at q.
  void factor(const VectorXd& q);

  /// x = M^-1 b; x and b have N entries and may be the same.
  void solve(Eigen::Ref<const VectorXd> b, Eigen::Ref<VectorXd> x);

  /// M^-1 by AZA on the unit vectors; the inward sweep runs along one path only.
  const MatrixXd& inverse();
  /// What the last inverse() returned.
  const MatrixXd& last_inverse() const { return inverse_; }

 private:
  struct Body {
    Pose X;
    Matrix6 IA;
    Vector6 U, p, a;
    double D, u;
  };

  void outward(Eigen::Ref<VectorXd> x);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  MatrixXd inverse_;
};

/// The articulated-body algorithm in body coordinates, and its derivatives by applying the chain rule to each
/// of its three loops (ABACR, paper 001 table II): for each coordinate j velocities change in the subtree of
/// j, articulated inertias on the path from j to the root, accelerations everywhere; O(N^2).
class ChainRuleAba {
 public:
  explicit ChainRuleAba(const Model& model);

  const VectorXd& forward_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& tau);

  /// Forward dynamics, then da/dq and da/dv.
  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& tau);

  const MatrixXd& da_dq() const { return da_dq_; }
  const MatrixXd& da_dv() const { return da_dv_; }

 private:
  struct Body {
    Pose X;
    Vector6 v, v_from_parent, c, momentum;
    Matrix6 IA, Ia;  ///< articulated inertia with and without the joint's freedom
    Vector6 pA, pa, U;
    double D, u;
    Vector6 a_from_parent, a_free, a;  ///< a_free: with c, before the joint's own acceleration
  };
  struct Change {
    Vector6 v, c, pA, a;
    double u;
  };
  /// What changes of a body's articulated inertia; with q only, and only strictly above the moved joint.
  struct InertiaChange {
    Vector6 U;
    double D;
  };

  void outward(int i, const VectorXd& q, const VectorXd& v);
  void inward(int i, const VectorXd& tau);
  void accelerate(int i);
  void start_velocity(int j, const VectorXd& v);
  void spread_velocity(int j, const VectorXd& v);
  void finish_velocity(int i, double rate, Change& change) const;
  void gather_subtree(int j);
  void gather_path_q(int j);
  void gather_path_v(int j);
  void column(int j);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const Body& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  static Change& at(std::vector<Change>& x, int i) { return x[static_cast<std::size_t>(i)]; }
  InertiaChange& inertia_change(int i) { return inertia_changes_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  std::vector<Change> by_q_, by_v_;
  std::vector<InertiaChange> inertia_changes_;
  VectorXd a_;
  MatrixXd da_dq_, da_dv_;
};

}  // namespace featherline::bench::generic
