#pragma once

#include "algorithms/kinematics/frame_motion.hpp"

namespace featherline::algorithms {

/// How far a frame is from a pose: the logarithm of X = (wanted pose)^-1 (its pose), [linear; angular], the constant
/// velocity in the axes of the wanted pose that leads from there to the frame in unit time. There are no branches, and
/// no rotation is an exception; at half a turn it is one of the two logarithms. Source: Sola, Deray, Atchuthan, "A
/// micro Lie theory for state estimation in robotics", 2018, appendix D.
class PoseError {
 public:
  /// R and p of X; `suffix` of the names of values: "F1".
  PoseError(const Context& context, const std::string& suffix, const Matrix3& R, const Vector3& p);

  const Twist& error() const { return error_; }
  /// Its rate where the frame moves with this velocity, about its origin and in its axes.
  Twist rate(const Twist& velocity) const;

 private:
  Twist error_;
  Matrix3 back_;   ///< d phi / d w, the inverse of the right Jacobian
  Matrix3 slope_;  ///< d rho / d phi
};

}  // namespace featherline::algorithms
