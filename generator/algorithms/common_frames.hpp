#pragma once

#include "algorithms/joint_motion.hpp"

#include <optional>
#include <vector>

/// Piecewise common frames: some bodies are frame roots; every body is expressed in the frame of
/// its nearest frame root at or above it, its home, or in the world frame if there is none. One frame for all
/// bodies is the "ground frame" of papers 000 and 001, all bodies being roots their "body frame".
namespace featherline::algorithms {

/// By body: whether it is a frame root.
using FrameRoots = std::vector<bool>;

/// Spatial motion vector: angular part, and the linear velocity of the body-fixed point at the home's origin.
struct Motion {
  Vector3 w = Vector3::Zero(), u = Vector3::Zero();

  Motion operator+(const Motion& m) const { return {w + m.w, u + m.u}; }
  Motion operator*(const Scalar& x) const { return {w * x, u * x}; }
};
/// v x m.
Motion cross(const Motion& v, const Motion& m);

/// Spatial force vector: moment about the home's origin, force.
struct Force {
  Vector3 n = Vector3::Zero(), f = Vector3::Zero();

  Force operator+(const Force& g) const { return {n + g.n, f + g.f}; }
};
/// v x* f.
Force cross_dual(const Motion& v, const Force& f);
/// f . m, the power.
Scalar dot(const Force& f, const Motion& m);

/// m, h, J about the home's origin in its axes.
struct SymbolicInertia {
  Scalar m = 0.0;
  Vector3 h = Vector3::Zero();
  Matrix3 J = Matrix3::Zero();

  SymbolicInertia operator+(const SymbolicInertia& o) const { return {m + o.m, h + o.h, J + o.J}; }
  Force operator*(const Motion& v) const;
};

/// 2 B(I, v) of paper 000, eq. (28), in 12 numbers instead of 36: the rotational block K - [n]x and the
/// linear block -2 [f]x act on the angular half alone. K = [w]x J + ([w]x J)^T - ([u]x [h]x + [h]x [u]x) is symmetric,
/// (n, f) = I v.
struct Coriolis {
  Matrix3 K = Matrix3::Zero();
  Vector3 n = Vector3::Zero(), f = Vector3::Zero();  ///< momentum

  Coriolis operator+(const Coriolis& o) const { return {K + o.K, n + o.n, f + o.f}; }
  /// 2 B s.
  Force times(const Motion& s) const;
  /// 2 B^T s: angular only.
  Vector3 transposed_times(const Motion& s) const;
};
Coriolis coriolis(const SymbolicInertia& I, const Motion& v, const Force& momentum);

/// Pose of an inner frame (a body, or the home of a subtree) in the home outside it.
class HomePose {
 public:
  /// The home itself.
  HomePose() = default;
  /// A joint further out: this pose, then the joint.
  HomePose then(const JointMotion& joint) const;

  Vector3 to_home(const Vector3& v) const;
  Vector3 from_home(const Vector3& v) const;
  const Vector3& origin() const { return p_; }

  Motion motion_to_home(const Motion& m) const;
  Motion motion_from_home(const Motion& m) const;
  Force force_to_home(const Force& f) const;
  SymbolicInertia inertia_to_home(const SymbolicInertia& I) const;
  /// K is the rate of J about a fixed point, so it moves like J with f in the place of h.
  Coriolis coriolis_to_home(const Coriolis& B) const;

 private:
  Matrix3 symmetric_to_home(const Matrix3& A) const;

  std::optional<Rotation> joint_;  // the last joint; none for the home itself
  std::optional<Matrix3> R_;       // rotation before it; none where that is the home
  Vector3 p_ = Vector3::Zero();
};

/// Poses of all bodies in their homes.
class CommonFrames {
 public:
  CommonFrames(Tracer& tracer, FrameRoots roots);

  bool is_root(int i) const { return roots_[static_cast<std::size_t>(i)]; }
  /// Pose of body i in its home (the identity for a root).
  const HomePose& pose(int i) const { return poses_[static_cast<std::size_t>(i)]; }
  /// Pose of root i in its parent's home: what is crossed between the two.
  const HomePose& crossing(int i) const { return crossings_[static_cast<std::size_t>(i)]; }

 private:
  FrameRoots roots_;
  std::vector<HomePose> poses_, crossings_;
};

/// J' = J + (2 g.p) 1 - g p^T - p g^T: moves second moments by p, with g = h + m p / 2 in the new axes.
Matrix3 parallel_axis(const Vector3& g, const Vector3& p);

}  // namespace featherline::algorithms
