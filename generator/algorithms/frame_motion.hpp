#pragma once

#include "algorithms/world_axes.hpp"

/// How a chosen frame moves: what frames.cpp writes in several forms. All vectors are in the axes of the world unless
/// they say otherwise.
namespace featherline::algorithms {

/// A frame, or one on each of several equal limbs.
struct FoldedFrame {
  std::vector<int> frames;  ///< by lane: places in model::ChosenFrames
  int body = -1;            ///< the folded body that carries it; -1: the world
};
/// Nothing if equal limbs carry different frames.
std::optional<std::vector<FoldedFrame>> fold_frames(const model::Tree& tree, const model::Folding& folding);

/// A vector of a point and one of turning.
struct Twist {
  Vector3<Scalar> linear, angular;

  friend Twist operator+(const Twist& x, const Twist& y) {
    return {x.linear + y.linear, x.angular + y.angular};
  }
  friend Twist operator-(const Twist& x, const Twist& y) {
    return {x.linear - y.linear, x.angular - y.angular};
  }
  friend Twist operator*(const Twist& x, const Scalar& s) { return {x.linear * s, x.angular * s}; }
};
/// Both vectors turned: w x.
inline Twist cross(const Vector3<Scalar>& w, const Twist& x) {
  return {algebra::cross(w, x.linear), algebra::cross(w, x.angular)};
}

/// What is asked of the inputs.
enum class Reads { q, q_v, q_v_a };

/// Motions of the bodies on the way to the frames, each once.
class FrameBodies {
 public:
  FrameBodies(Context<Scalar>& context, const std::vector<FoldedFrame>& frames, Reads reads);

  Context<Scalar>& context() const { return c_; }
  const WorldAxes<Scalar>& axes() const { return axes_; }
  bool has_v() const { return reads_ != Reads::q; }
  bool has_a() const { return reads_ == Reads::q_v_a; }
  /// Angular velocity and acceleration; without the input a, what the latter is for a = 0. Those of the world are zero.
  Vector3<Scalar> w(int i) const { return i < 0 ? Vector3<Scalar>{} : w_[static_cast<std::size_t>(i)]; }
  Vector3<Scalar> wd(int i) const { return i < 0 ? Vector3<Scalar>{} : wd_[static_cast<std::size_t>(i)]; }

 private:
  void outward(int i);

  Context<Scalar>& c_;
  Reads reads_;
  WorldAxes<Scalar> axes_;
  std::vector<Vector3<Scalar>> w_, wd_;
};

/// What one body on the way adds to the motion of a frame.
struct FrameStep {
  struct Column {
    int idx_v;
    Twist unit;  ///< c_k and z_k, times the multiplier of a coupled joint
  };
  int body;
  Vector3<Scalar> d;  ///< d_k, in the axes that the body shares (WorldAxes)
  std::vector<Column> columns;
  Vector3<Scalar> nu;  ///< nu_k
  Vector3<Scalar> dd;  ///< c_k a_k + (w_k + w_lambda(k)) x nu_k
};

/// One frame.
class FrameMotion {
 public:
  FrameMotion(const FrameBodies& bodies, const FoldedFrame& frame);

  const FoldedFrame& frame() const { return frame_; }
  /// The bodies on the way, the last one first.
  const std::vector<FrameStep>& steps() const { return steps_; }
  const Vector3<Scalar>& position() const { return p_; }
  Matrix3<Scalar> rotation() const;
  /// Linear, angular; of the frame's origin.
  Twist velocity() const;
  /// Classical. Without the input a, what it is for a = 0.
  Twist acceleration() const;

 private:
  void add_step(int body, const Vector3<Scalar>& d);
  void add_rates(FrameStep& step) const;
  /// What the joint of the step gives the frame's origin at these rates.
  Vector3<Scalar> carried(const FrameStep& step, const Coordinates<Scalar>& rates) const;
  /// "pF1", in lanes that of the first frame.
  std::string name(const std::string& letter) const;
  /// The entry of v, in lanes that of the first limb.
  int first_of(int idx_v) const;

  const FrameBodies& bodies_;
  Context<Scalar>& c_;
  FoldedFrame frame_;
  Matrix3<Scalar> R_BF_;
  std::vector<FrameStep> steps_;
  Vector3<Scalar> p_;
};

}  // namespace featherline::algorithms
