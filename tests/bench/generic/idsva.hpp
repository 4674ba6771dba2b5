#pragma once

#include "generic/model.hpp"

namespace featherline::bench::generic {

/// First-order derivatives of inverse dynamics by Algorithm 1 of paper 001 (IDSVA), in the ground frame with
/// dense 6x6 matrices; O(N d).
class Idsva {
 public:
  explicit Idsva(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;                          ///< in the ground
    Vector6 v, a, f;                 ///< f: composite after the backward sweep
    Vector6 phi, phi_dot, phi_ddot;  ///< joint axis and its derivatives in time
    Matrix6 I, B;                    ///< inertia and Coriolis matrix, composite after the backward sweep
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void inward(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  MatrixXd dtau_dq_, dtau_dv_;
};

}  // namespace featherline::bench::generic
