#pragma once

#include "algorithms/joints.hpp"

/// Piecewise common frames: some bodies are frame roots; every body is expressed in the frame of its nearest frame root at
/// or above it, its common frame E, or in the world frame if there is none. One frame for all bodies is the "ground frame"
/// of papers 000 and 001, all bodies being roots their "body frame".
namespace featherline::algorithms {

/// By body: whether it is a frame root.
using FrameRoots = std::vector<bool>;

/// All bodies in one frame: the world's, or that of a body which travels in it (floating, planar or prismatic joint):
/// far from the world's origin, its frame would cost digits.
FrameRoots ground_frame(const model::CanonicalTree& tree);
/// Every body in its own frame.
FrameRoots body_frames(const model::CanonicalTree& tree);
/// What the tree says, or body frames where it says nothing.
FrameRoots chosen_frames(const model::CanonicalTree& tree);
/// One frame for every tree that hangs off the world: that of its first link.
FrameRoots root_links(const model::CanonicalTree& tree);

/// Pose of a frame B (of a body, or the common frame of a subtree) in a frame E outside it.
template <class T>
class Pose {
 public:
  /// E itself.
  Pose() = default;
  /// A joint further out: this pose, then the joint.
  Pose then(const JointMotion<T>& joint) const;

  Vector3<T> outward(const Vector3<T>& v) const;  ///< axes of B to axes of E
  Vector3<T> inward(const Vector3<T>& v) const;   ///< axes of E to axes of B
  const Vector3<T>& origin() const { return p_; }
  /// Axes of B's parent to axes of E; none where the parent is E.
  const std::optional<Matrix3<T>>& parent_rotation() const { return R_; }

  Motion<T> outward(const Motion<T>& m) const;
  Motion<T> inward(const Motion<T>& m) const;
  Force<T> outward(const Force<T>& f) const;
  Inertia<T> outward(const Inertia<T>& I) const;
  /// K is the rate of J about a fixed point, so it moves like J with f in the place of h.
  Coriolis<T> outward(const Coriolis<T>& B) const;

 private:
  Symmetric3<T> outward(const Symmetric3<T>& A) const;

  std::optional<Rotation<T>> joint_;  // the last joint; none for E itself
  std::optional<Matrix3<T>> R_;       // rotation before it; none where that is E
  Vector3<T> p_;
};

/// Poses of all bodies in their common frames.
template <class T>
class CommonFrames {
 public:
  CommonFrames(Context<T>& context, FrameRoots roots);

  bool is_root(int i) const { return roots_[static_cast<std::size_t>(i)]; }
  /// Of body i in its common frame (E itself for a root).
  const Pose<T>& pose(int i) const { return poses_[static_cast<std::size_t>(i)]; }
  /// Of body i's common frame in its parent's; E itself where the two are one.
  const Pose<T>& crossing(int i) const { return crossings_[static_cast<std::size_t>(i)]; }

  /// Carries x, in the common frame of body i, to that of the parent.
  template <class X>
  X cross_to_parent(int i, const X& x) const {
    return is_root(i) ? crossing(i).outward(x) : x;
  }
  /// The same the other way.
  template <class X>
  X cross_to_child(int i, const X& x) const {
    return is_root(i) ? crossing(i).inward(x) : x;
  }

 private:
  FrameRoots roots_;
  std::vector<Pose<T>> poses_, crossings_;
};

/// Climbs from body i to the root. visit(j, x) for every ancestor j of i, with x carried to the common frame of j; `cross`
/// carries x over a pose: cross(X, x).
template <class T, class X, class Cross, class Visit>
void climb(const Context<T>& context, const CommonFrames<T>& frames, int i, X x, const Cross& cross,
           const Visit& visit) {
  for (int below = i, j = context.parent(i); j >= 0; below = j, j = context.parent(j)) {
    if (frames.is_root(below)) x = cross(frames.crossing(below), x);
    visit(j, x);
  }
}

}  // namespace featherline::algorithms
