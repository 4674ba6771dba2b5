#include "algorithms/joint_motion.hpp"

#include "support/diagnostic.hpp"

namespace featherline::algorithms {
namespace {

using model::JointType;

constexpr int sparse_rotation_entries = 5;  // identity, permutation, or a rotation about a coordinate axis

bool is_sparse(const model::Matrix3& E) { return (E.array() != 0.0).count() <= sparse_rotation_entries; }

Matrix3 rotation_z(const Scalar& c, const Scalar& s) {
  Matrix3 R;
  R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return R;
}

/// (R - 1) / 2 of a unit quaternion.
Matrix3 quaternion_half(const Eigen::Matrix<Scalar, 4, 1>& quaternion) {
  const Scalar x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  const Scalar xx = x * x, yy = y * y, zz = z * z;
  const Scalar xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
  Matrix3 half;
  half << -(yy + zz), xy - wz, xz + wy, xy + wz, -(xx + zz), yz - wx, xz - wy, yz + wx, -(xx + yy);
  return half;
}

Matrix3 one_plus_twice(const Matrix3& half) { return Matrix3::Identity() + half * Scalar(2.0); }

bool is_constant(const Vector3& v) {
  return v.x().is_constant() && v.y().is_constant() && v.z().is_constant();
}

Scalar coordinate(Tracer& tracer, const model::Joint& joint, int q_parameter, int k) {
  return Scalar(joint.multiplier) * tracer.input(q_parameter, joint.idx_q + k);
}

/// R J R^T for a rotation about z: 10 flops for the upper block, 6 for the rest.
Matrix3 rotate_symmetric_z(const Matrix3& A, const Scalar& c, const Scalar& s) {
  const Scalar u = s * (A(0, 0) - A(1, 1)) + c * (Scalar(2.0) * A(0, 1));
  const Scalar su = s * u;
  Matrix3 B;
  B(0, 0) = A(0, 0) - su;
  B(1, 1) = A(1, 1) + su;
  B(2, 2) = A(2, 2);
  B(0, 1) = B(1, 0) = c * u - A(0, 1);
  B(0, 2) = B(2, 0) = c * A(0, 2) - s * A(1, 2);
  B(1, 2) = B(2, 1) = s * A(0, 2) + c * A(1, 2);
  return B;
}

}  // namespace

Matrix3 congruence(const Matrix3& E, const Matrix3& A) {
  const Matrix3 EA = E * A;
  Matrix3 B;
  for (int r = 0; r < 3; ++r) {
    for (int k = r; k < 3; ++k) B(r, k) = B(k, r) = EA.row(r).dot(E.row(k));
  }
  return B;
}

Rotation::Rotation(const model::Matrix3& E, const Scalar& c, const Scalar& s) : E_(to_scalar(E)) {
  if (is_sparse(E)) {
    angle_ = Angle{c, s};
  } else {
    E_ = E_ * rotation_z(c, s);
  }
}

Rotation::Rotation(const model::Matrix3& E, const Eigen::Matrix<Scalar, 4, 1>& quaternion)
    : E_(to_scalar(E)) {
  const Matrix3 half = quaternion_half(quaternion);
  if (E.isIdentity(0.0)) half_ = half;
  E_ = E_ * one_plus_twice(half);
}

Rotation::Rotation(const model::Matrix3& E) : E_(to_scalar(E)) {}

Vector3 Rotation::to_parent(const Vector3& v) const {
  if (!staged()) return E_ * v;
  const auto& [c, s] = *angle_;
  return E_ * Vector3(c * v.x() - s * v.y(), s * v.x() + c * v.y(), v.z());
}

Vector3 Rotation::to_child(const Vector3& v) const {
  if (half_ && is_constant(v)) return v + half_->transpose() * (v * Scalar(2.0));
  const Vector3 u = E_.transpose() * v;
  if (!staged()) return u;
  const auto& [c, s] = *angle_;
  return {c * u.x() + s * u.y(), c * u.y() - s * u.x(), u.z()};
}

Matrix3 Rotation::symmetric_to_parent(const Matrix3& A) const {
  return congruence(E_, staged() ? rotate_symmetric_z(A, angle_->c, angle_->s) : A);
}

Matrix3 Rotation::matrix() const { return staged() ? Matrix3(E_ * rotation_z(angle_->c, angle_->s)) : E_; }

namespace {

/// Cosine and sine of a joint's angle: computed here, or two entries [sin cos] of an input.
struct AngleSource {
  Tracer& tracer;
  int body;
  int sc_parameter;  ///< -1: none

  template <class Angle>
  Rotation turned(const model::Matrix3& E, const Angle& angle) const {
    if (sc_parameter >= 0) return Rotation(E, tracer.input(sc_parameter, 1), tracer.input(sc_parameter, 0));
    const Scalar x = angle();
    return Rotation(E, tracer.label(cos(x), "c", body), tracer.label(sin(x), "s", body));
  }
};

JointMotion about_z(const AngleSource& source, int q_parameter) {
  Tracer& tracer = source.tracer;
  const model::Joint& joint = tracer.body(source.body).joint;
  const auto angle = [&] { return coordinate(tracer, joint, q_parameter, 0) + Scalar(joint.offset); };
  Vector3 p = to_scalar(joint.placement.p);
  if (joint.type == JointType::helical)
    p += to_scalar(joint.placement.R.col(2)) * (Scalar(joint.pitch) * angle());
  return {source.turned(joint.placement.R, angle), p};
}

JointMotion along_z(Tracer& tracer, int i, int q_parameter) {
  const model::Joint& joint = tracer.body(i).joint;
  const Scalar d = coordinate(tracer, joint, q_parameter, 0) + Scalar(joint.offset);
  return {Rotation(joint.placement.R),
          to_scalar(joint.placement.p) + to_scalar(joint.placement.R.col(2)) * d};
}

JointMotion free_pose(Tracer& tracer, int i, int q_parameter) {
  const model::Joint& joint = tracer.body(i).joint;
  const bool translates = joint.type == JointType::floating;
  Vector3 d = Vector3::Zero();
  Eigen::Matrix<Scalar, 4, 1> quaternion;
  for (int k = 0; k < 3 && translates; ++k) d[k] = tracer.input(q_parameter, joint.idx_q + k);
  for (int k = 0; k < 4; ++k)
    quaternion[k] = tracer.input(q_parameter, joint.idx_q + k + (translates ? 3 : 0));
  const model::Placement& X = joint.placement;
  return {Rotation(X.R, quaternion), to_scalar(X.p) + to_scalar(X.R) * d};
}

JointMotion in_plane(const AngleSource& source, int q_parameter) {
  Tracer& tracer = source.tracer;
  const model::Joint& joint = tracer.body(source.body).joint;
  const auto angle = [&] { return tracer.input(q_parameter, joint.idx_q + 2); };
  const Vector3 d(tracer.input(q_parameter, joint.idx_q), tracer.input(q_parameter, joint.idx_q + 1), 0.0);
  const model::Placement& X = joint.placement;
  return {source.turned(X.R, angle), to_scalar(X.p) + to_scalar(X.R) * d};
}

}  // namespace

JointMotion joint_motion(Tracer& tracer, int i, int q_parameter, int sc_parameter) {
  const AngleSource source{tracer, i, sc_parameter};
  switch (tracer.body(i).joint.type) {
    case JointType::revolute:
    case JointType::continuous:
    case JointType::helical:
      return about_z(source, q_parameter);
    case JointType::prismatic:
      return along_z(tracer, i, q_parameter);
    case JointType::floating:
    case JointType::spherical:
      return free_pose(tracer, i, q_parameter);
    case JointType::planar:
      return in_plane(source, q_parameter);
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::fixed:
      break;
  }
  throw InternalError("a canonical tree has no fixed joints and none with several axes");
}

std::vector<JointAxis> joint_axes(const model::Joint& joint) {
  const model::JointRow& row = joint.row();
  if (row.is_split()) throw InternalError("a canonical tree has no joints with several axes");
  std::vector<JointAxis> axes;
  for (const model::Motion& motion : row.motions) {
    const model::Vector3 zero = model::Vector3::Zero(), along = joint.direction(motion.along);
    const double advance = motion.turns() ? joint.pitch : 1.0;
    axes.push_back({motion.turns() ? along : zero, motion.slides() ? advance * along : zero,
                    joint.idx_v + static_cast<int>(axes.size()), joint.multiplier});
  }
  return axes;
}

Coordinates input_coordinates(Tracer& tracer, int parameter) {
  Coordinates x;
  for (int k = 0; k < tracer.tree().nv; ++k) x.push_back(tracer.input(parameter, k));
  return x;
}

Coordinates zero_coordinates(const Tracer& tracer) {
  return Coordinates(static_cast<std::size_t>(tracer.tree().nv), Scalar(0.0));
}

Twist joint_rate(const model::Joint& joint, const Coordinates& x) {
  Twist rate;
  for (const JointAxis& axis : joint_axes(joint)) {
    const Scalar rate_k = Scalar(axis.multiplier) * x[static_cast<std::size_t>(axis.idx_v)];
    rate.angular += to_scalar(axis.angular) * rate_k;
    rate.linear += to_scalar(axis.linear) * rate_k;
  }
  return rate;
}

}  // namespace featherline::algorithms
