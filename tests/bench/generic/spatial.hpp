#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

/// Spatial vectors [angular; linear] with ordinary Eigen types, for the generic algorithms of the benches.
namespace featherline::bench::generic {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

inline Vector6 join(const Vector3d& angular, const Vector3d& linear) {
  Vector6 x;
  x << angular, linear;
  return x;
}

/// m1 x m2 for motions.
inline Vector6 cross_motion(const Vector6& a, const Vector6& b) {
  return join(a.head<3>().cross(b.head<3>()),
              a.head<3>().cross(b.tail<3>()) + a.tail<3>().cross(b.head<3>()));
}

/// m x* f for a motion and a force.
inline Vector6 cross_force(const Vector6& m, const Vector6& f) {
  return join(m.head<3>().cross(f.head<3>()) + m.tail<3>().cross(f.tail<3>()),
              m.head<3>().cross(f.tail<3>()));
}

inline Matrix3d skew(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// (m x) as a matrix; (m x*) is minus its transpose.
inline Matrix6 cross_motion_matrix(const Vector6& m) {
  Matrix6 x = Matrix6::Zero();
  x.topLeftCorner<3, 3>() = x.bottomRightCorner<3, 3>() = skew(m.head<3>());
  x.bottomLeftCorner<3, 3>() = skew(m.tail<3>());
  return x;
}

/// The matrix of m -> m x* f (the paper's cross with a bar, 001 eq. 6).
inline Matrix6 cross_force_bar_matrix(const Vector6& f) {
  Matrix6 x = Matrix6::Zero();
  x.topLeftCorner<3, 3>() = -skew(f.head<3>());
  x.topRightCorner<3, 3>() = x.bottomLeftCorner<3, 3>() = -skew(f.tail<3>());
  return x;
}

/// Spatial inertia from mass, first moment h and rotational inertia J about the frame's origin.
inline Matrix6 spatial_inertia(double mass, const Vector3d& h, const Matrix3d& J) {
  Matrix6 I;
  I << J, skew(h), -skew(h), mass * Matrix3d::Identity();
  return I;
}

/// Pose of a frame B in P and what it does to spatial vectors.
struct Pose {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();

  Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }

  Vector6 motion_to_child(const Vector6& m) const {
    const Vector3d w = m.head<3>();
    return join(R.transpose() * w, R.transpose() * (m.tail<3>() - p.cross(w)));
  }
  Vector6 motion_to_parent(const Vector6& m) const {
    const Vector3d w = R * m.head<3>();
    return join(w, R * m.tail<3>() + p.cross(w));
  }
  Vector6 force_to_parent(const Vector6& f) const {
    const Vector3d linear = R * f.tail<3>();
    return join(R * f.head<3>() + p.cross(linear), linear);
  }
  /// motion_to_child as a matrix.
  Matrix6 motion_matrix() const {
    Matrix6 X = Matrix6::Zero();
    X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = R.transpose();
    X.bottomLeftCorner<3, 3>() = -R.transpose() * skew(p);
    return X;
  }
  /// X^T I X for a symmetric I, with X the motion transform from P to B.
  Matrix6 inertia_to_parent(const Matrix6& I) const {
    const Matrix3d A = R * I.topLeftCorner<3, 3>() * R.transpose();
    const Matrix3d B = R * I.topRightCorner<3, 3>() * R.transpose();
    const Matrix3d M = R * I.bottomRightCorner<3, 3>() * R.transpose();
    const Matrix3d px = skew(p);
    const Matrix3d top_right = B + px * M;
    Matrix6 result;
    result << A - B * px + px * top_right.transpose(), top_right, top_right.transpose(), M;
    return result;
  }
};

}  // namespace featherline::bench::generic
