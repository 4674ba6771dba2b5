#pragma once

#include "algorithms/joints.hpp"

/// The outward pass of inverse dynamics and of its regressor.
namespace featherline::algorithms {

/// Motion of a body: everything in its own frame. The acceleration is that of the origin, gravity subtracted, in the
/// classical sense (second time derivative of its position), so that linear velocity is never needed.
template <class T>
struct BodyMotion {
  Vector3<T> w;   ///< angular velocity
  Vector3<T> wd;  ///< angular acceleration
  Vector3<T> a;   ///< acceleration of the origin minus gravity
  Matrix3<T> U;   ///< acceleration_tensor(w, wd)

  /// The same motion in the frame of the body that stands at (R, p) in the present one.
  BodyMotion seen_from(const Matrix3<T>& R, const Vector3<T>& p) const;
};

/// U = [wd]x + [w]x[w]x: the acceleration of a fixed point r is a + U r. 6 products, 9 sums.
template <class T>
Matrix3<T> acceleration_tensor(const Vector3<T>& w, const Vector3<T>& wd);

/// Motions of all bodies, parents first.
template <class T>
class BodyMotions {
 public:
  BodyMotions(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a)
      : BodyMotions(context, v, a, context.gravity()) {}
  BodyMotions(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
              const Vector3<T>& gravity)
      : c_(context), v_(v), a_(a), gravity_(gravity) {}

  /// Computes that of the next body, which is i.
  void outward(int i);
  const BodyMotion<T>& body(int i) const { return motion_[static_cast<std::size_t>(i)]; }
  const JointMotion<T>& joint(int i) const { return joints_[static_cast<std::size_t>(i)]; }
  /// The external forces on body i alone, about the origin of its frame, in its axes.
  Force<T> external_wrench(int i) const;

 private:
  BodyMotion<T> parent_motion(int i) const;
  /// A vector of world axes, in those of body i.
  Vector3<T> in_axes_of(int i, const Vector3<T>& x) const;

  Context<T>& c_;
  const Coordinates<T>& v_;
  const Coordinates<T>& a_;
  Vector3<T> gravity_;
  std::vector<JointMotion<T>> joints_;
  std::vector<BodyMotion<T>> motion_;
};

extern template class BodyMotions<Scalar>;
extern template class BodyMotions<double>;

}  // namespace featherline::algorithms
