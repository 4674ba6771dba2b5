#pragma once

#include "algorithms/context.hpp"
#include "algorithms/dual_quaternion.hpp"

#include <featherline/kinematics.hpp>

/// The joint transforms. With Context::axes(), this is all that algorithms know of joint types. Every joint has a
/// rotation and an offset against the parent, and a motion subspace that is constant in the child frame B.
namespace featherline::algorithms {

/// R_PB, applied in the cheapest way. If the constant rotation E is sparse, E and the rotation about z are applied
/// one after the other (12 flops a vector or fewer). Else R_PB is one full matrix (15 flops).
class Rotation {
 public:
  /// E * Rz, with the cosine and sine of the joint angle.
  Rotation(const Matrix3& E, const Scalar& c, const Scalar& s);
  /// E times the rotation of the unit quaternion.
  Rotation(const Matrix3& E, const Quaternion& quaternion);
  explicit Rotation(const Matrix3& E) : E_(E) {}

  Vector3 to_parent(const Vector3& v) const;
  Vector3 to_child(const Vector3& v) const;
  /// The same, shorter if no other vector is rotated and v is not a number: 30 flops for a quaternion, where
  /// the matrix takes 24 and then 15 a vector.
  Vector3 to_child_alone(const Vector3& v) const;
  Vector3 to_parent_alone(const Vector3& v) const;
  /// R A R^T.
  Symmetric3 to_parent(const Symmetric3& A) const;
  Matrix3 matrix() const;

 private:
  struct Angle {
    Scalar c, s;
  };
  Matrix3 E_;  // constant, or the full matrix if there is no angle
  std::optional<Angle> angle_;
  std::optional<Quaternion> quaternion_;  // if E is the identity
  std::optional<Matrix3> half_;           // R = E (1 + 2 half) for a quaternion: shorter on constant vectors
};

/// Pose of a body in its parent: R_PB, and p_PB in P.
struct JointMotion {
  Rotation R;
  Vector3 p;

  Motion to_child(const Motion& m) const { return {R.to_child(m.w), R.to_child(m.u + cross(m.w, p))}; }
  Force to_parent(const Force& f) const {
    const Vector3 force = R.to_parent(f.f);
    return {R.to_parent(f.n) + cross(p, force), force};
  }
};

/// The angle of a joint that has one (JointRow::angle()), from the input "q": its own coordinate times the mimic
/// multiplier, plus the offset.
Scalar joint_angle(const Context& context, int i);

/// Its cosine and sine.
struct Turn {
  Scalar c, s;
};
Turn joint_turn(Context& context, int i);

/// The body's row in the table of featherline/kinematics.hpp.
kinematics::BodyInfo<double> walk_row(const model::Joint& joint, int run);

/// Pose of body i, from the input "q".
JointMotion joint_motion(Context& context, int i);
/// The same from the joint's own coordinates, times the mimic multiplier, and the cosine and sine of its angle.
JointMotion joint_motion(const Context& context, int i, const Coordinates& own, const Scalar& c,
                         const Scalar& s);

/// The same as a unit dual quaternion, x_PB = r + eps p r / 2 (paper 004, section 2). Sines and cosines are those of
/// half the angles. Not in lanes.
DualQuaternion joint_pose(Context& context, int i);

/// The rotation of a rotation vector.
Matrix3 rotation_of(const Vector3& phi);
/// The angular velocity of rotation_of(phi), before it turns, for a rate of phi (Sola et al., eq. 145).
Matrix3 left_jacobian(const Vector3& phi);

/// S x: sum over the joint's axes of x[idx_v] times the column, in B.
Motion joint_rate(const Context& context, int i, const Coordinates& x);

}  // namespace featherline::algorithms
