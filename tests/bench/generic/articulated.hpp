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

}  // namespace featherline::bench::generic
