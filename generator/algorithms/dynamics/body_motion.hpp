#pragma once

#include "algorithms/context.hpp"
#include "joints/symbolic/joints.hpp"

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

// External forces keep their direction in the world, and act at points that move with bodies.

/// The external forces on a body or subtree, in one frame.
struct ExternalForces {
  Force wrench;
  /// An inertial force turns with the body if q steps; an external force f at p, and a moment m, do not. The joints
  /// have to bear -(m + p x f, f). If the body turns by w, this changes against a force that turns along by
  ///   (p x (w x f) + w x m, w x f).
  /// This is 2 B w, with a B of the form of paper 000, eq. (28): K = f . p 1 - (f p^T + p f^T) / 2, n = m + p x f / 2,
  /// and f / 2. So it moves from frame to frame like B.
  Coriolis turning;
};

/// Motions of all bodies, parents first.
class BodyMotions {
 public:
  BodyMotions(Context& context, const Coordinates& v, const Coordinates& a, const Vector3& gravity)
      : c_(context), v_(v), a_(a), gravity_(gravity) {}

  /// Computes that of the next body, which is i.
  void outward(int i);
  const BodyMotion& body(int i) const { return motion_[index(i)]; }
  const JointMotion& joint(int i) const { return joints_[index(i)]; }
  /// The rate of the motion of body i, entry by entry in its axes. `parent`: that of the parent. `jerk`:
  /// the rates of a.
  BodyMotion rate(int i, const BodyMotion& parent, const Coordinates& jerk) const;
  /// The external forces on body i alone, about the origin of its frame, in its axes.
  ExternalForces external_forces(int i) const;

 private:
  Context& c_;
  const Coordinates& v_;
  const Coordinates& a_;
  Vector3 gravity_;
  std::vector<JointMotion> joints_;
  std::vector<BodyMotion> motion_;
  std::vector<Vector3>
      carried_;  ///< acceleration of the parent's point at the origin of the body, in its axes
};

/// The forces on body i in a frame E. `step` takes moments and forces outward, from the axes of the parent of body k to
/// those of k; it is applied from the world to body i. `point` takes points of the body to E.
template <class Step, class Point>
ExternalForces external_forces_on(const Context& context, int i, const Step& step, const Point& point) {
  ExternalForces sum;
  const std::vector<LinkForce> forces = context.link_forces(i);
  if (forces.empty()) return sum;
  const auto to_frame = [&](Vector3 x, const char* half) {
    for (const int k : context.path_to(i)) {
      x = step(k, x);
      context.hint(x, context.of_body("fext", i) + context.of_body("_", k) + half);
    }
    return x;
  };
  Vector3 moments;
  for (const LinkForce& force : forces) moments = moments + force.m;
  sum.wrench.n = sum.turning.n = to_frame(moments, "n");
  for (const LinkForce& force : forces) {
    const Vector3 f = to_frame(force.f, "f"), p = point(force.p), moment = cross(p, f),
                  half = f * Scalar(0.5);
    sum.wrench = sum.wrench + Force{moment, f};
    sum.turning = sum.turning + Coriolis{parallel_axis(half, p), moment * Scalar(0.5), half};
  }
  return sum;
}

/// The force that a body needs, if what does not come from its first moment is `turning`: f = m a + U h, n = h x a +
/// turning. It is linear in the motion, so the rate of the motion gives the rate of the force.
Force inertial_wrench(const Inertia& I, const Vector3& turning, const BodyMotion& b);
/// The antisymmetric part of U Sigma, where Sigma = tr(J)/2 1 - J are the second moments: J wd + w x J w.
Vector3 rotational_moment(const Matrix3& U, const Symmetric3& Sigma);

struct NewtonEuler {
  Coordinates tau;
  std::vector<Force> wrenches;  ///< by body: what it and all it carries need
};
/// What a body alone needs.
using OwnWrench = Force(Context& context, int i, const BodyMotion& motion);
OwnWrench wrench_of_body;
/// By body, made with the motions, so that few values wait for the way back. `motions` has none yet.
std::vector<Force> wrenches_alone(Context& context, BodyMotions& motions, OwnWrench* own = wrench_of_body);
/// Motions outward, then forces inward. `motions` has none yet.
NewtonEuler newton_euler(Context& context, BodyMotions& motions, OwnWrench* own = wrench_of_body);

}  // namespace featherline::algorithms
