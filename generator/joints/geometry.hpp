#pragma once

#include "joints/joint_table.hpp"

#include <Eigen/Core>

/// Poses and inertias, and rotations whose zeros are exact.
///
/// Notation (CONTRIBUTING.md): R_PB rotates components from frame B to frame P; p_PB is B's origin measured
/// from P's origin, expressed in P.
namespace featherline::model {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// Pose of a frame B in a frame P.
struct Placement {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  /// Pose of C in P from B in P (this) and C in B.
  Placement operator*(const Placement& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Placement inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// Ten inertial parameters about the body frame's origin, in the body frame's axes.
struct Inertia {
  double mass = 0.0;            ///< m [kg]
  Vector3 h = Vector3::Zero();  ///< first moment m c [kg m]
  Matrix3 J = Matrix3::Zero();  ///< rotational inertia about the origin [kg m^2]

  Inertia& operator+=(const Inertia& other);
  /// The same matter seen from frame P, given the pose of the present frame B in P.
  Inertia expressed_in(const Placement& X_PB) const;
};

/// The entry of the inertia that the free parameter alpha of a revolute joint makes zero.
enum class Grouping {
  second_moment_zz,  ///< J_xx + J_yy = J_zz: shortest J wd + w x J w (ur5 rnea: 283 flops, 302 with the other)
  J_xx,              ///< shortest where J itself is rotated and multiplied (ur5 derivatives: 947 flops, 961)
};

/// The part of `inertia` that has no effect on the torques of a joint with this row. `inertia` is in the joint's frame;
/// the axis is z.
Inertia unidentifiable_part(const JointRow& row, const Inertia& inertia,
                            Grouping grouping = Grouping::second_moment_zz);

inline constexpr int parameters_per_body = 10;
/// m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz: the order of the regressor's columns.
using Parameters = Eigen::Matrix<double, parameters_per_body, 1>;
Parameters parameters_of(const Inertia& inertia);
Inertia inertia_of(const Parameters& parameters);

/// R_PB of URDF's fixed-axis roll, pitch, yaw [rad]: Rz(yaw) Ry(pitch) Rx(roll).
Matrix3 rotation_from_rpy(const Vector3& rpy);

/// R_PB of a quaternion x y z w that is a unit to rounding. Entries of equal size, as those of a quarter turn, give
/// exact zeros and units, however they were rounded.
Matrix3 rotation_from_quaternion(double x, double y, double z, double w);

/// The rotation nearest to R in which every entry that lies within `tolerance` of zero is exactly zero (and the
/// axes this leaves alone are exact units). Decimal angles in files, 1.5708 for a quarter turn, hide zeros that
/// the generated code would otherwise multiply by. The result is a rotation to rounding; R itself comes back
/// where nothing is near zero, or where `tolerance` is 0.
Matrix3 snap_rotation(const Matrix3& R, double tolerance);

/// A rotation whose third column is the unit vector `normal`: the axes of a planar joint's plane. The first
/// column is the coordinate axis after the dominant one of `normal`, in the cycle x y z, projected to the plane;
/// so +x gives (y, z, x), +y gives (z, x, y) and +z the identity.
Matrix3 plane_axes(const Vector3& normal);

/// Rounding of products of exact rotations; 1e-12 changed tiago's forward dynamics by 2e-10.
inline constexpr double structural_zero = 1e-14;

/// Entries within rounding of 0, relative to `scale`, become exactly that.
template <class M>
M round_residue(const M& x, double scale);

/// Entries within rounding of a number with few digits, relative to `scale`, become exactly that, zero included.
template <class M>
M round_entries(const M& x, double scale);

/// What is printed in the end is short where the file's numbers are.
Inertia round_inertia(const Inertia& I);
Placement round_placement(const Placement& X, double scale);

/// Without what rounding left of differences.
Inertia rounded_difference(const Inertia& whole, const Inertia& part);

/// As round_residue(), for a rotation, whose entries may also be +-1.
Matrix3 round_rotation(const Matrix3& R);

Matrix3 rotation_z(double angle);

/// plane_axes(), rounded: it takes z to the unit vector `axis`.
Matrix3 align_z(const Vector3& axis);

}  // namespace featherline::model
