#pragma once

#include "algorithms/common_frames.hpp"

/// What the derivative algorithms share: motion of all bodies and axes in common frames, and the subtree sums I^C,
/// B^C, f^C (paper 000, Algorithm 1, lines 1 to 11 and 21 to 24; paper 002, Algorithm 1, lines 1 to 11 and 75 to 78).
namespace featherline::algorithms {

/// What one degree of freedom looks like in its home frame.
struct Axis {
  int idx_v;
  double multiplier;
  Motion S;    ///< motion subspace column
  Motion Sd;   ///< v x S, its rate on the moving body
  Motion Pd;   ///< Psi-dot = v_parent x S
  Motion Pdd;  ///< Psi-double-dot = a_parent x S + v_parent x Psi-dot
};

/// Motion of a body, and the composite of its subtree once all its children have been gathered.
struct CompositeBody {
  Motion v, a;
  SymbolicInertia I;
  Coriolis B;  ///< 2 B of paper 000; B of paper 002
  Force F;
  std::vector<Axis> axes;
};

class CompositeMotion {
 public:
  /// Runs the outward pass.
  CompositeMotion(Tracer& tracer, const Coordinates& v, const Coordinates& a, FrameRoots roots);

  CompositeBody& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const CommonFrames& frames() const { return frames_; }
  /// Adds body i's composite to its parent's; call from the leaves to the root.
  void add_to_parent(int i);

  struct ParentMotion {
    Motion v, a;
  };
  /// Velocity and acceleration of the parent, in the home of body i.
  ParentMotion parent_motion(int i);

 private:
  void outward(int i, const Coordinates& v, const Coordinates& a);
  void add_inertia(CompositeBody& body, int i);
  void label_motion(const CompositeBody& body, int i);

  Tracer& t_;
  CommonFrames frames_;
  std::vector<CompositeBody> bodies_;
};

}  // namespace featherline::algorithms
