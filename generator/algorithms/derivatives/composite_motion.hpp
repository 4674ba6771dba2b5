#pragma once

#include "algorithms/derivatives/common_frames.hpp"

#include <featherline/algebra/second_order.hpp>

/// The part that all derivative algorithms share: the motion of all bodies and axes in common frames, and the subtree
/// sums I^C, B^C, f^C (paper 000, Algorithm 1, lines 1 to 11 and 21 to 24; paper 002, Algorithm 1, lines 1 to 11 and
/// 75 to 78).
namespace featherline::algorithms {

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
