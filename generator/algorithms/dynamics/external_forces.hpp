#pragma once

#include "algorithms/context.hpp"

/// External forces keep their direction in the world, and act at points that move with bodies.
namespace featherline::algorithms {

/// The external forces on a body or subtree, in one frame.
struct ExternalForces {
  Force wrench;
  /// An inertial force turns with the body if q steps; an external force f at p, and a moment m, do not. If the body
  /// turns by w, the force that the joints have to bear, -(m + p x f, f), changes against one that turns along by
  ///   (p x (w x f) + w x m, w x f).
  /// This is 2 B w, with a B of the form of paper 000, eq. (28): K = f . p 1 - (f p^T + p f^T) / 2, n = m + p x f / 2,
  /// and f / 2. So it moves from frame to frame like B.
  Coriolis turning;
};

/// The forces on body i in a frame E: `to_frame` rotates moments ("n") and forces ("f") from world axes to E, `point`
/// takes points of the body to E.
template <class ToFrame, class Point>
ExternalForces external_forces_on(const Context& context, int i, const ToFrame& to_frame,
                                  const Point& point) {
  ExternalForces sum;
  Vector3 moments;
  const std::vector<LinkForce> forces = context.link_forces(i);
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

}  // namespace featherline::algorithms
