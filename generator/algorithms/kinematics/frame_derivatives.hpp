#pragma once

#include "algorithms/kinematics/frame_motion.hpp"

/// Derivatives of a frame's velocity and acceleration, one column for each degree of freedom on the way to it.
///
/// A step of joint k carries everything behind it, and turns its motion against body k - 1. With N, D, Y, E for the sums
/// of nu, dd, y, yd (FrameStep) from joint k on, and both parts of a pair written (linear, angular), in
/// local_world_aligned axes:
///
///     dV/dq_k = (w x c + z x N, z x Y)
///     dA/dq_k = (wd x c + w x (w x c) + z x D + 2 (w x z) x N, z x E + (w x z) x Y)
///     dA/dv_k = ((w + w_k) x c + z x (2 N - nu_k), w x z + z x (Y - y_k))
///
/// where w and wd are those of body k - 1. The frame's own axes turn, too, which takes z x V and z x A away. About the
/// world's origin the columns are spatial vectors, and the derivatives spatial cross products.
///
/// Joints that turn about one direction, one behind the other, turn each other's motion by nothing: their y are parallel
/// to z. These terms are left out, so that zeros of all robots are zeros of the code.
namespace featherline::algorithms {

class FrameDerivatives {
 public:
  using Columns = std::vector<FrameStep::Column>;

  explicit FrameDerivatives(const FrameMotion& motion);

  Columns velocity_by_q() const;
  Columns acceleration_by_q() const;
  Columns acceleration_by_v() const;

 private:
  /// Sums over the steps from one on; those before it are in `before`.
  struct Sums {
    Vector3 nu, dd, y, yd;
    Vector3
        spatial;  ///< of c_k a_k + w x nu_k + (the sum of nu before k) x y_k: linear parts of spatial accelerations
  };
  /// What a column needs of its step, k.
  struct Place {
    Vector3 w, wd;  ///< of body k - 1
    Vector3 w_k;
    Vector3 w_group;          ///< of the last body before k that does not turn about the direction of k
    Vector3 wd_group;         ///< wd, less what is parallel to z
    Sums before, from, next;  ///< next: from k + 1 on
    const Sums* other;        ///< from k on, without joints that turn about its direction
    const Sums* other_next;   ///< from k + 1 on, the same
    bool is_single;           ///< one degree of freedom
  };

  template <class Make>
  Columns columns(const Make& make) const;
  Place place(std::size_t k) const;
  Twist velocity_by_q(const Place& at, const Twist& unit) const;
  Twist acceleration_by_q(const Place& at, const Twist& unit) const;
  Twist acceleration_by_v(const Place& at, const Twist& unit) const;
  Twist spatial_by_q(const Place& at, const Twist& unit) const;

  const FrameMotion& motion_;
  const std::vector<FrameStep>& steps_;
  std::vector<Sums> before_, from_;  ///< by step, and one more at the end
};

}  // namespace featherline::algorithms
