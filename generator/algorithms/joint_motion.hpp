#pragma once

#include "algorithms/tracer.hpp"

#include <optional>

/// The joint models: all that the algorithms know of joint types beyond the table (model/joint_table.hpp). Every joint is
/// a rotation and an offset against the parent, and a motion subspace that is constant in the child frame B.
namespace featherline::algorithms {

/// R_PB, applied in the cheapest way: a constant rotation E and a planar one about z in turn where E is sparse
/// (12 flops a vector or fewer), else as a full matrix (15 flops).
class Rotation {
 public:
  /// E * Rz, with the cosine and sine of the joint angle.
  Rotation(const model::Matrix3& E, const Scalar& c, const Scalar& s);
  /// E times the rotation of the unit quaternion [x y z w].
  Rotation(const model::Matrix3& E, const Eigen::Matrix<Scalar, 4, 1>& quaternion);
  explicit Rotation(const model::Matrix3& E);

  Vector3 to_parent(const Vector3& v) const;
  Vector3 to_child(const Vector3& v) const;
  /// R A R^T for symmetric A.
  Matrix3 symmetric_to_parent(const Matrix3& A) const;
  Matrix3 matrix() const;

 private:
  bool staged() const { return angle_.has_value(); }

  struct Angle {
    Scalar c, s;
  };
  Matrix3 E_;  // constant, or the full matrix if not staged
  std::optional<Angle> angle_;
  std::optional<Matrix3> half_;  // R = E (1 + 2 half) for a quaternion: shorter on constant vectors
};

/// E A E^T for symmetric A, upper half computed once.
Matrix3 congruence(const Matrix3& E, const Matrix3& A);

/// Columns of the motion subspace S in B: unit joint velocity k turns B by angular[k] and moves it by linear[k].
struct JointAxis {
  model::Vector3 angular, linear;
  int idx_v;
  double multiplier;  ///< of a coupled mimic joint, otherwise 1
};

struct JointMotion {
  Rotation R;  ///< R_PB
  Vector3 p;   ///< p_PB in P
};

/// Placement of body i against its parent; q is the tracer's input parameter `q_parameter`. Sine and cosine of the
/// joint's angle are computed, or read from the two entries of `sc_parameter`.
JointMotion joint_motion(Tracer& tracer, int i, int q_parameter = 0, int sc_parameter = -1);

/// S of body i's joint.
std::vector<JointAxis> joint_axes(const model::Joint& joint);

/// Symbolic values by degree of freedom: an input array, zeros, or results of an earlier stage.
using Coordinates = std::vector<Scalar>;
/// All entries of the tracer's input parameter.
Coordinates input_coordinates(Tracer& tracer, int parameter);
Coordinates zero_coordinates(const Tracer& tracer);

/// S x: sum over the joint's axes of x[idx_v] times the column, in B.
struct Twist {
  Vector3 angular = Vector3::Zero(), linear = Vector3::Zero();
};
Twist joint_rate(const model::Joint& joint, const Coordinates& x);

}  // namespace featherline::algorithms
