#pragma once

#include "algorithms/context.hpp"
#include "algorithms/dual_quaternion.hpp"

#include <cmath>

/// Coefficients of the exponential map. phi is a turn [rad] in the axes of the body,
/// theta its size, x its square.
namespace featherline::algorithms {

/// Added to squares of angles, so that zero is not an exception. Its root 1e-18 is so small that even functions of the angle
/// are at their limit up to rounding. It is a normal number of float, too.
inline constexpr double smallest_square = 1e-36;

/// cos(theta / 2) and sin(theta / 2) / theta, for x > 0. Every other coefficient but B is made of them: the error is that
/// of rounding divided by the power of theta that the coefficient is multiplied with.
struct HalfTurn {
  Scalar cosine, ratio;

  explicit HalfTurn(const Scalar& x) {
    using std::cos, std::sin, std::sqrt;
    const Scalar theta = sqrt(x), half = Scalar(0.5) * theta;
    cosine = cos(half);
    ratio = sin(half) / theta;
  }
  /// sin(theta) / theta.
  Scalar sine() const { return Scalar(2.0) * (cosine * ratio); }
  /// A = (1 - cos(theta)) / theta^2.
  Scalar A() const { return Scalar(2.0) * (ratio * ratio); }
};

/// Entries `first` to `first + 2` of an array.
inline Vector3 three_of(const Coordinates& x, int first) {
  const Scalar* entry = x.data() + first;
  return {entry[0], entry[1], entry[2]};
}
inline Quaternion turn_of(const Coordinates& q, int first) {
  return {three_of(q, first), q[index(first + 3)]};
}

/// Where the coordinates of a joint are whose velocity is in the axes of its child.
struct FreeJoint {
  bool travels, has_quaternion;
  int position;     ///< in q: the first length, if it travels
  int orientation;  ///< in q: the quaternion or the angle
  int linear;       ///< in v, if it travels
  int angular;      ///< in v: three entries, or one

  explicit FreeJoint(const model::Joint& joint)
      : travels(joint.row().travels()),
        has_quaternion(joint.row().quaternion() >= 0),
        position(joint.idx_q),
        orientation(joint.idx_q + joint.row().num_slides()),
        linear(joint.idx_v),
        angular(joint.idx_v + joint.row().num_slides()) {}
};

/// Calls f(i, joint) for every body whose joint has coordinates of its own.
template <class F>
void for_each_own_joint(const Context& context, const F& f) {
  for (int i = 0; i < context.num_bodies(); ++i) {
    const model::Joint& joint = context.joint(i);
    if (joint.mimics < 0) f(i, joint);
  }
}

}  // namespace featherline::algorithms
