#pragma once

#include "joints/symbolic/joints.hpp"

#include <featherline/algebra/second_order.hpp>

/// The part that all derivative algorithms share: the motion of all bodies and axes in common frames, and the subtree
/// sums I^C, B^C, f^C (paper 000, Algorithm 1, lines 1 to 11 and 21 to 24; paper 002, Algorithm 1, lines 1 to 11 and
/// 75 to 78).
namespace featherline::algorithms {

// Common frames. Some bodies are expressed in their own frame. Every other body is expressed in the frame that its
// parent is expressed in; for children of the world this is the world frame. A frame E that several bodies share is
// their common frame. If all bodies share one frame, it is the "ground frame" of papers 000 and 001. If every body has
// its own, these are their "body frames".

/// By body: whether it is expressed in its own frame.
using OwnFrames = std::vector<bool>;

/// One frame for all bodies: the world frame. A child of the world that travels (floating, planar or prismatic joint)
/// has its own frame, which the bodies behind it share: far from the world's origin, the world frame would cost digits.
OwnFrames ground_frame(const model::CanonicalTree& tree);
/// Every body in its own frame.
inline OwnFrames body_frames(const model::CanonicalTree& tree) { return OwnFrames(tree.bodies.size(), true); }
/// The choice that the tree holds, or body frames if nobody chose.
OwnFrames chosen_frames(const model::CanonicalTree& tree);
/// One frame for every subtree of the world: the frame of its first body.
OwnFrames root_body_frames(const model::CanonicalTree& tree);

/// Pose of a frame B in a frame E nearer to the world.
class Pose {
 public:
  /// B and E are the same frame.
  Pose() = default;
  /// The axes of B in E, and its origin.
  Pose(const Matrix3& R, const Vector3& p) : joint_(Rotation(R)), p_(p) {}
  /// The pose of the child of B: this pose, then that of the joint.
  Pose then(const JointMotion& joint) const;

  Vector3 outward(const Vector3& v) const;  ///< axes of B to axes of E
  Vector3 inward(const Vector3& v) const;   ///< axes of E to axes of B
  const Vector3& origin() const { return p_; }
  /// Axes of B's parent to axes of E; none where the parent is E.
  const std::optional<Matrix3>& parent_rotation() const { return R_; }

  Motion outward(const Motion& m) const;
  Motion inward(const Motion& m) const { return {inward(m.w), inward(m.u + cross(m.w, p_))}; }
  Force outward(const Force& f) const;
  Inertia outward(const Inertia& I) const;
  /// K is the rate of J about a fixed point. So it transforms like J, with f in place of h.
  Coriolis outward(const Coriolis& B) const;
  /// Each part of a struct that has some (each_entry).
  template <class Parts>
  Parts outward(Parts x) const {
    Parts::each_part(x, [&](auto& part, const char*) { part = outward(part); });
    return x;
  }

 private:
  Symmetric3 outward(const Symmetric3& A) const;

  std::optional<Rotation> joint_;  // of the last joint; none if B is E
  std::optional<Matrix3> R_;       // the rotation before that joint; none if it is the identity
  Vector3 p_;
};

/// Poses of all bodies in their common frames.
class CommonFrames {
 public:
  CommonFrames(Context& context, OwnFrames own_frames);

  bool has_own_frame(int i) const { return own_frames_[index(i)]; }
  /// The pose of body i in the frame that it is expressed in.
  const Pose& pose(int i) const { return poses_[index(i)]; }

  /// Transforms x from the frame that body i is expressed in to that of the parent.
  template <class X>
  X to_parents_frame(int i, const X& x) const {
    return has_own_frame(i) ? poses_in_parents_frame_[index(i)].outward(x) : x;
  }
  /// The inverse of to_parents_frame().
  template <class X>
  X from_parents_frame(int i, const X& x) const {
    return has_own_frame(i) ? poses_in_parents_frame_[index(i)].inward(x) : x;
  }
  /// Adds x of body i to `sum` of its parent.
  template <class X>
  void add_to_parents(int i, const X& x, X& sum) const {
    sum = sum + c_.sum_limbs_for_parent(i, to_parents_frame(i, x));
  }
  /// Calls visit(j, x) for every ancestor j of body i, from the parent of i to the root. x is given for body i and is
  /// transformed to the frame that j is expressed in. Then it gets the label, if there is one.
  template <class X, class Visit>
  void climb(int i, X x, const std::string& label, const Visit& visit) const {
    for (int below = i, j = c_.parent(i); j >= 0; below = j, j = c_.parent(j)) {
      x = to_parents_frame(below, x);
      if (has_own_frame(below) && !label.empty()) c_.label(x, label);
      visit(j, x);
    }
  }

 private:
  Context& c_;
  OwnFrames own_frames_;
  std::vector<Pose> poses_;
  std::vector<Pose> poses_in_parents_frame_;  ///< of bodies with their own frame: in the one of the parent
};

using AxisMotion = algebra::AxisMotion<Scalar>;
using AxisOperators = algebra::AxisOperators<Scalar>;

/// A degree of freedom in its body's common frame: S, Psi-dot = v_parent x S,
/// Psi-double-dot = a_parent x S + v_parent x Psi-dot, rate = Psi-dot + S-dot.
struct Axis : AxisMotion {
  int idx_v = 0;
  Scalar multiplier;
  Motion Sd;         ///< v x S, its rate on the moving body
  std::string name;  ///< "3", or "1a" to "1f" of a joint with several
};

/// Motion of a body. I, B and F are first those of the body. They are those of its subtree once all its children have
/// been added.
struct CompositeBody {
  Motion v, a;
  Inertia I;
  Coriolis B;  ///< 2 B of paper 000; B of paper 002
  Force F;     ///< inertial force less external forces
  /// The external forces' change as the body turns (ExternalForces).
  Coriolis turning;
  std::vector<Axis> axes;
};

class CompositeMotion {
 public:
  /// Runs the outward pass.
  CompositeMotion(Context& context, const Coordinates& v, const Coordinates& a, OwnFrames own_frames);

  CompositeBody& body(int i) { return bodies_[index(i)]; }
  const CommonFrames& frames() const { return frames_; }
  /// Adds body i's composite to its parent's; call from the leaves to the root.
  void add_to_parent(int i);
  /// Names the composite of body i. Call it when the composite is complete.
  void label_composite(int i);

  struct ParentMotion {
    Motion v, a;
  };
  /// Velocity and acceleration of the parent, in the common frame of body i.
  ParentMotion parent_motion(int i);

 private:
  void outward(int i, const Coordinates& v, const Coordinates& a);
  void add_axes(int i, const ParentMotion& parent, CompositeBody& body);

  Context& c_;
  CommonFrames frames_;
  std::vector<CompositeBody> bodies_;
};

}  // namespace featherline::algorithms
