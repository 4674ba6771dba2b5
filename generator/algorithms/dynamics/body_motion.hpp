#pragma once

#include "algorithms/joints.hpp"

/// The outward pass of inverse dynamics and of its regressor.
namespace featherline::algorithms {

/// Motion of a body: everything in its own frame. The acceleration is that of the origin, gravity subtracted, in the
/// classical sense (second time derivative of its position), so that linear velocity is never needed.
struct BodyMotion {
  Vector3 w;   ///< angular velocity
  Vector3 wd;  ///< angular acceleration
  Vector3 a;   ///< acceleration of the origin minus gravity
  Matrix3 U;   ///< [wd]x + [w]x[w]x: the acceleration of a fixed point r is a + U r. 6 products, 9 sums

  /// The same motion in the frame of the body that stands at (R, p) in the present one.
  BodyMotion seen_from(const Matrix3& R, const Vector3& p) const;
};

/// Motions of all bodies, parents first.
class BodyMotions {
 public:
  BodyMotions(Context& context, const Coordinates& v, const Coordinates& a)
      : BodyMotions(context, v, a, context.gravity()) {}
  BodyMotions(Context& context, const Coordinates& v, const Coordinates& a, const Vector3& gravity)
      : c_(context), v_(v), a_(a), gravity_(gravity) {}

  /// Computes that of the next body, which is i.
  void outward(int i);
  const BodyMotion& body(int i) const { return motion_[static_cast<std::size_t>(i)]; }
  const JointMotion& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  /// The external forces on body i alone, about the origin of its frame, in its axes.
  Force external_wrench(int i) const;

 private:
  BodyMotion parent_motion(int i) const;
  /// A half of a force in world axes, in those of body i.
  Vector3 in_axes_of(int i, const Vector3& x, const char* half) const;

  Context& c_;
  const Coordinates& v_;
  const Coordinates& a_;
  Vector3 gravity_;
  std::vector<JointMotion> joints_;
  std::vector<BodyMotion> motion_;
};

}  // namespace featherline::algorithms
