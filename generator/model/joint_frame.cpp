#include "model/joint_frame.hpp"

#include <Eigen/Geometry>

namespace featherline::model {

Matrix3 clean_rotation(const Matrix3& R) {
  return without_residue(R, 1.0).unaryExpr(
      [](double v) { return std::abs(std::abs(v) - 1.0) < structural_zero ? std::copysign(1.0, v) : v; });
}

Matrix3 rotation_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 R;
  R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return R;
}

Matrix3 align_z(const Vector3& axis) {
  Eigen::Index k = 0;
  axis.cwiseAbs().maxCoeff(&k);
  Matrix3 Q;
  const Vector3 x = Vector3::Unit((k + 1) % 3);
  Q.col(2) = axis;
  Q.col(0) = (x - x.dot(axis) * axis).normalized();
  Q.col(1) = Q.col(2).cross(Q.col(0));
  return clean_rotation(Q);
}

JointFrame split_offset(const Joint& joint, const Placement& X) {
  const auto zeros = [](const Matrix3& R) { return (R.array() == 0.0).count(); };
  JointFrame result{{clean_rotation(X.R), X.p}, 0.0};
  if (!joint.row().has_one_axis() || joint.row().num_turns() == 0) return result;
  // z' = E^T z is the parent's z seen from the child: turn it into the y-z plane.
  const double in_plane = std::hypot(X.R(2, 0), X.R(2, 1));
  const double c =
      in_plane > structural_zero ? std::atan2(X.R(2, 0), X.R(2, 1)) : std::atan2(X.R(1, 0), X.R(0, 0));
  const Matrix3 E = clean_rotation(X.R * rotation_z(-c));
  if (zeros(E) <= zeros(result.X.R)) return result;
  if (joint.row().needs_pitch()) result.X.p -= E.col(2) * (joint.pitch * c);
  result.X.R = E;
  result.offset = c;
  return result;
}

}  // namespace featherline::model
