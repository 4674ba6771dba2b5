#pragma once

#include "generic/model.hpp"

namespace featherline::bench::generic {

/// Algorithm 1 of paper 001 (IDSVA) in body frames: what every link needs is constant or comes from its parent, but the
/// vectors t1 to t4 and the composite matrices have to be transformed at each step towards the root; O(N d).
/// One-degree-of-freedom joints only.
class IdsvaBody {
 public:
  explicit IdsvaBody(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;                     ///< in the parent
    Vector6 v, a, f;            ///< f: composite after the backward sweep
    Vector6 phi_dot, phi_ddot;  ///< of the joint's axis, whose coordinates are constant here
    Matrix6 I, B;               ///< composite after the backward sweep
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void inward(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  MatrixXd dtau_dq_, dtau_dv_;
};

}  // namespace featherline::bench::generic
