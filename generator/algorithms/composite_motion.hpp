#pragma once

#include "algorithms/common_frames.hpp"

#include <featherline/algebra/second_order.hpp>

/// The part that all derivative algorithms share: the motion of all bodies and axes in common frames, and the subtree
/// sums I^C, B^C, f^C (paper 000, Algorithm 1, lines 1 to 11 and 21 to 24; paper 002, Algorithm 1, lines 1 to 11 and
/// 75 to 78).
namespace featherline::algorithms {

/// A degree of freedom in its body's common frame: S, Psi-dot = v_parent x S,
/// Psi-double-dot = a_parent x S + v_parent x Psi-dot, rate = Psi-dot + S-dot.
template <class T>
struct Axis : algebra::AxisMotion<T> {
  int idx_v = 0;
  T multiplier;
  Motion<T> Sd;      ///< v x S, its rate on the moving body
  std::string name;  ///< "3", or "1a" to "1f" of a joint with several
};

/// Motion of a body. I, B and F are first those of the body. They are those of its subtree once all its children have
/// been added.
template <class T>
struct CompositeBody {
  Motion<T> v, a;
  Inertia<T> I;
  Coriolis<T> B;  ///< 2 B of paper 000; B of paper 002
  Force<T> F;     ///< inertial force less external forces
  /// The external forces' change as the body turns (ExternalForces), if the context has some.
  Coriolis<T> turning;
  std::vector<Axis<T>> axes;
};

/// Adds a product of two axes to an entry of a matrix. Coupled joints share entries, so their products add up.
template <class T>
void add(Context<T>& context, T& entry, const T& multiplier, const T& x) {
  entry += multiplier * x;
  context.keep(entry);
}

template <class T>
class CompositeMotion {
 public:
  /// Runs the outward pass.
  CompositeMotion(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& a,
                  OwnFrames own_frames);

  CompositeBody<T>& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const CommonFrames<T>& frames() const { return frames_; }
  /// Adds body i's composite to its parent's; call from the leaves to the root.
  void add_to_parent(int i);
  /// Names the composite of body i. Call it when the composite is complete.
  void label_composite(int i);

  struct ParentMotion {
    Motion<T> v, a;
  };
  /// Velocity and acceleration of the parent, in the common frame of body i.
  ParentMotion parent_motion(int i);

 private:
  void outward(int i, const Coordinates<T>& v, const Coordinates<T>& a);
  void add_axes(int i, const ParentMotion& parent, CompositeBody<T>& body);
  void add_external_forces(int i, CompositeBody<T>& body);
  /// A vector of world axes, in those of the frame that body i is expressed in.
  Vector3<T> in_frame_of(int i, const Vector3<T>& x) const;

  Context<T>& c_;
  CommonFrames<T> frames_;
  std::vector<CompositeBody<T>> bodies_;
};

}  // namespace featherline::algorithms
