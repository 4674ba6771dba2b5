#pragma once

#include "generic/model.hpp"

namespace featherline::bench::generic {

/// First-order derivatives of inverse dynamics by Algorithm 1 of paper 000 (IDSVA), floating joints included, in the
/// ground frame with dense 6x6 matrices; O(N d). Without floating joints Idsva computes the same in three quarters of
/// the time: there S-dot is Psi-dot.
class IdsvaFloating {
 public:
  explicit IdsvaFloating(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;           ///< in the ground
    Vector6 v, a, f;  ///< f: composite after the backward sweep
    Matrix6 I, B;     ///< inertia and Coriolis matrix, composite after the backward sweep
  };
  /// Column of a joint's S, of Psi-dot and Psi-ddot; `rates` is S-dot plus Psi-dot, which is all that S-dot is for.
  struct Axis {
    Vector6 s, psi_dot, psi_ddot, rates;
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void column(int i, int p);
  void pass_on(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  Axis& axis(int coordinate) { return axes_[static_cast<std::size_t>(coordinate)]; }

  Model model_;
  std::vector<Body> bodies_;
  std::vector<Axis> axes_;  ///< by coordinate
  MatrixXd dtau_dq_, dtau_dv_;
};

}  // namespace featherline::bench::generic
