#pragma once

#include "algorithms/kinematics/world_axes.hpp"

#include <optional>
#include <string>
#include <vector>

/// How a frame F moves: one that the user chose, which frames.cpp writes in several forms, or one that a constraint is
/// about (constraint_motion.hpp).
///
/// All vectors are in axes A and about a point Q of the frame's body, as --frame-axes says:
///
///     local_world_aligned   A: the world's   Q: the frame's origin
///     local                 A: the frame's   Q: the frame's origin
///     world                 A: the world's   Q: where the world's origin is; of position-only frames, theirs
///
/// For motion relative to a body, this body is the world. Bodies on the way from the world to the frame are counted
/// k = 0, 1, ..., and k - 1 stands before k. c_k and z_k are the linear velocity of Q and the angular velocity if joint
/// k moves at unit speed, nu_k = c_k v_k, y_k = z_k v_k. Then
///
///     velocity of Q            sum of nu_k
///     its acceleration         sum of c_k a_k + (w_k + w_k-1) x nu_k
///     angular acceleration     sum of z_k a_k + w_k-1 x y_k
///
/// Source: velocity and acceleration of a point of a moving frame (Featherstone, RBDA sections 2.9 to 2.11), put into
/// each other along the way; the terms w x (w x d) meet in the sum of two w. Joints with several degrees of freedom fit
/// in as they are, with nu_k and y_k for all of them together.
namespace featherline::algorithms {

/// A frame on a body of the walked tree, or one on each limb that the body stands for.
struct BodyFrame {
  int body = -1;                               ///< -1: the world
  std::vector<model::Placement> in_body = {};  ///< X_BF by lane
  bool point = false;                          ///< position only
  model::FrameAxes axes = model::FrameAxes::local_world_aligned;
  std::string suffix = {};  ///< of the names of its values: "F1"
};

/// A vector of a point and one of turning, in the order of the public rows.
struct Twist {
  Vector3 linear, angular;

  friend Twist operator+(const Twist& x, const Twist& y) {
    return {x.linear + y.linear, x.angular + y.angular};
  }
  friend Twist operator*(const Twist& x, const Scalar& k) { return {x.linear * k, x.angular * k}; }
};

/// Joint velocities and accelerations. Those that are missing are not needed, and accelerations are then zero.
struct JointRates {
  std::optional<Coordinates> v, a;
};

/// What motion of frames is written in the axes of, in the place of the world's.
struct FrameRoot {
  int body = -1;  ///< -1: the world
  /// Motion is that in the world, or else relative to the body. The body then hangs on the world.
  bool moves = false;
};

/// Rotations of the bodies on the way to the frames, each once.
struct FrameBodies {
  /// `ends`: the bodies that carry frames. All hang on the root.
  FrameBodies(Context& c, const std::vector<int>& ends, JointRates joint_rates, FrameRoot of = {});

  Context& context;
  JointRates rates;
  FrameRoot root;
  WorldAxes axes;
};

/// A body on the way to a frame, and what its joint does.
struct FrameStep {
  struct Column {
    int idx_v;
    Twist unit;  ///< c_k and z_k, times the multiplier of a coupled joint
  };
  int body;
  Matrix3 R_AG;  ///< from the axes that the body shares (WorldAxes)
  Vector3 d;     ///< Q from the origin of the body: in the shared axes, or in A if Q is the world's origin
  bool turns_about_z;  ///< if at all
  bool is_parallel;    ///< to the step before: both turn about one direction, if at all
  std::vector<Column> columns;
  Vector3 nu, y;
  Vector3 dd, yd;  ///< the terms of the sums above
  Vector3 w, wd;   ///< sums of y and yd up to here
};

/// One frame. Without joint accelerations, those of the frame are what they are for a = 0.
class FrameMotion {
 public:
  FrameMotion(const FrameBodies& bodies, BodyFrame frame);

  const BodyFrame& frame() const { return frame_; }
  bool is_point() const { return frame_.point; }
  /// As seen: world only of frames that are not points.
  model::FrameAxes axes() const { return axes_; }
  const std::vector<FrameStep>& steps() const { return steps_; }

  /// The frame's origin and rotation in the world.
  const Vector3& position() const { return p_; }
  Matrix3 rotation() const;
  /// From here to the origin of another frame of the same body, in A.
  Vector3 way_to(const FrameMotion& other) const;
  Twist velocity() const;
  /// Classical, of the point Q.
  Twist acceleration() const;

 private:
  void list_steps();
  void walk_inward();
  void set_rotations();
  void set_points();
  void add_columns(FrameStep& step);
  void add_rates(FrameStep& step, const FrameStep& before);
  /// What the joint of the step gives Q at these rates, which turn it by y.
  Vector3 carried(const FrameStep& step, const Coordinates& rates, const Vector3& y) const;
  Vector3 turned(const FrameStep& step, const Coordinates& rates) const;
  const BodyAxes& body_axes(const FrameStep& step) const { return bodies_.axes.body(step.body); }
  /// "pF1", in lanes that of the first frame.
  std::string name(const std::string& letter) const { return letter + frame_.suffix; }
  std::string name(const std::string& letter, const FrameStep& step) const;

  const FrameBodies& bodies_;
  Context& c_;
  BodyFrame frame_;
  model::FrameAxes axes_;
  Matrix3 R_BF_;
  Vector3 p_BF_, p_;
  std::vector<FrameStep> steps_;
};

// Derivatives of a frame's velocity and acceleration, one column for each degree of freedom on the way to it.
//
// A step of joint k carries everything behind it, and turns its motion against body k - 1. With N, D, Y, E for the sums
// of nu, dd, y, yd (FrameStep) from joint k on, and both parts of a pair written (linear, angular), in
// local_world_aligned axes:
//
//     dV/dq_k = (w x c + z x N, z x Y)
//     dA/dq_k = (wd x c + w x (w x c) + z x D + 2 (w x z) x N, z x E + (w x z) x Y)
//     dA/dv_k = ((w + w_k) x c + z x (2 N - nu_k), w x z + z x (Y - y_k))
//
// Joint k carries its own columns. Their rates are those of vectors that turn with body k and end at the point,
//
//     d(c, z)/dt = (w_k x c + z x (N - nu_k), w_k x z)
//
// where w and wd are those of body k - 1. The frame's own axes turn, too, which takes z x V and z x A away. About the
// world's origin the columns are spatial vectors, and the derivatives spatial cross products.
//
// Joints that turn about one direction, one behind the other, turn each other's motion by nothing: their y are parallel
// to z. These terms are left out, so that zeros of all robots are zeros of the code.

class FrameDerivatives {
 public:
  using Columns = std::vector<FrameStep::Column>;

  explicit FrameDerivatives(const FrameMotion& motion);

  Columns velocity_by_q() const { return columns(&FrameDerivatives::column_of_velocity_by_q); }
  Columns acceleration_by_q() const { return columns(&FrameDerivatives::column_of_acceleration_by_q); }
  Columns acceleration_by_v() const { return columns(&FrameDerivatives::column_of_acceleration_by_v); }
  /// Of the columns themselves.
  Columns rates() const { return columns(&FrameDerivatives::rate_of_column); }

 private:
  /// Sums over the steps from one on; those before it are in `before`.
  struct Sums {
    Vector3 nu, dd, y, yd;
    /// Of c_k a_k + w x nu_k + (the sum of nu before k) x y_k: linear parts of spatial accelerations.
    Vector3 spatial;

    friend Sums operator+(const Sums& a, const Sums& b) {
      return {a.nu + b.nu, a.dd + b.dd, a.y + b.y, a.yd + b.yd, a.spatial + b.spatial};
    }
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
    /// Of joint k and those before it, or without it: a single one leaves its own column where it is.
    const Sums* carrier;
    const Sums* behind;        ///< all others
    const Vector3* w_of_axes;  ///< w_k, or without joints that turn about the direction of k
  };

  using Derivative = Twist (FrameDerivatives::*)(const Place& at, const Twist& unit) const;

  Columns columns(Derivative derivative) const;
  Place place(std::size_t k) const;
  Twist column_of_velocity_by_q(const Place& at, const Twist& unit) const;
  Twist column_of_acceleration_by_q(const Place& at, const Twist& unit) const;
  Twist column_of_acceleration_by_v(const Place& at, const Twist& unit) const;
  Twist rate_of_column(const Place& at, const Twist& unit) const;
  Twist spatial_by_q(const Place& at, const Twist& unit) const;

  const FrameMotion& motion_;
  const std::vector<FrameStep>& steps_;
  std::vector<Sums> before_, from_;  ///< by step, and one more at the end
};

/// How far a frame is from a pose: the logarithm of X = (wanted pose)^-1 (its pose), [linear; angular], the constant
/// velocity in the axes of the wanted pose that leads from there to the frame in unit time. There are no branches, and
/// no rotation is an exception; at half a turn it is one of the two logarithms. Source: Sola, Deray, Atchuthan, "A
/// micro Lie theory for state estimation in robotics", 2018, appendix D.
class PoseError {
 public:
  /// R and p of X; `suffix` of the names of values: "F1".
  PoseError(const Context& context, const std::string& suffix, const Matrix3& R, const Vector3& p);

  const Twist& error() const { return error_; }
  /// Its rate where the frame moves with this velocity, about its origin and in its axes.
  Twist rate(const Twist& velocity) const;

 private:
  Twist error_;
  Matrix3 back_;   ///< d phi / d w, the inverse of the right Jacobian
  Matrix3 slope_;  ///< d rho / d phi
};

}  // namespace featherline::algorithms
