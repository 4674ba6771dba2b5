#include "joints/symbolic/joints.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace featherline::algorithms {
namespace {

constexpr int sparse_rotation_entries = 5;  // identity, permutation, or a rotation about a coordinate axis

bool is_sparse(const Matrix3& E) {
  int entries = 0;
  for (int k = 0; k < 9; ++k) entries += is_zero(E(k % 3, k / 3)) ? 0 : 1;
  return entries <= sparse_rotation_entries;
}

Scalar identity_entry(int k) { return Scalar(k % 4 == 0 ? 1.0 : 0.0); }

bool is_identity(const Matrix3& E) {
  for (int k = 0; k < 9; ++k) {
    if (!(E(k % 3, k / 3) == identity_entry(k))) return false;
  }
  return true;
}

Matrix3 rotation_z(const Scalar& c, const Scalar& s) {
  const Scalar zero(0.0);
  return {{{c, -s, zero}, {s, c, zero}, {zero, zero, Scalar(1.0)}}};
}

/// (R - 1) / 2 of a unit quaternion.
Matrix3 quaternion_half(const Quaternion& quaternion) {
  const auto& [x, y, z] = quaternion.u;
  const Scalar& w = quaternion.w;
  const Scalar xx = x * x, yy = y * y, zz = z * z;
  const Scalar xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
  return {{{-(yy + zz), xy - wz, xz + wy}, {xy + wz, -(xx + zz), yz - wx}, {xz - wy, yz + wx, -(xx + yy)}}};
}

Matrix3 one_plus_twice(const Matrix3& half) {
  Matrix3 R;
  for (int k = 0; k < 9; ++k) R(k % 3, k / 3) = identity_entry(k) + half(k % 3, k / 3) * Scalar(2.0);
  return R;
}

/// R A R^T for a rotation about z: 10 flops for the upper block, 6 for the rest.
Symmetric3 rotate_z(const Symmetric3& A, const Scalar& c, const Scalar& s) {
  const Scalar u = s * (A.xx - A.yy) + c * (Scalar(2.0) * A.xy);
  const Scalar su = s * u;
  return {A.xx - su, c * u - A.xy, c * A.xz - s * A.yz, A.yy + su, s * A.xz + c * A.yz, A.zz};
}

/// The coordinates of the joint itself: those that it has or mimics, times the multiplier.
Coordinates own_coordinates(const Context& context, int i) {
  const model::Joint& joint = context.joint(i);
  Coordinates own;
  for (int k = 0; k < joint.nq; ++k)
    own.push_back(context.number(i, &model::Joint::multiplier) * context.input("q")[index(joint.idx_q + k)]);
  return own;
}

/// How far the child's origin has moved, in the axes that it has at zero. Lengths stand in q as their motions in v.
Vector3 joint_offset(const Context& context, int i, const Coordinates& own) {
  const Scalar zero(0.0);
  const model::JointRow& row = context.joint(i).row();
  Vector3 offset{zero, zero, zero};
  for (std::size_t k = 0; k < row.motions.size(); ++k) {
    const model::Motion& motion = row.motions[k];
    if (!motion.slides()) continue;
    Scalar& way = motion.along == model::Direction::x   ? offset.x
                  : motion.along == model::Direction::y ? offset.y
                                                        : offset.z;
    way = row.has_one_axis() ? own[k] + context.number(i, &model::Joint::offset) : own[k];
    if (motion.kind == model::Motion::Kind::screw) way = context.number(i, &model::Joint::pitch) * way;
  }
  return offset;
}

/// The turn of a joint whose coordinates have a quaternion.
std::optional<Quaternion> own_quaternion(const Context& context, int i, const Coordinates& own) {
  const int first = context.joint(i).row().quaternion();
  if (first < 0) return std::nullopt;
  const Scalar* entry = own.data() + first;
  return Quaternion{{entry[0], entry[1], entry[2]}, entry[3]};
}

kinematics::Motion walk_motion(const model::JointRow& row) {
  using kinematics::Motion;
  if (row.quaternion() >= 0) return row.travels() ? Motion::floating : Motion::spherical;
  if (!row.has_one_axis()) return Motion::planar;
  const model::Motion& motion = row.motions.front();
  return !motion.turns() ? Motion::slide : motion.slides() ? Motion::screw : Motion::turn;
}

}  // namespace

Rotation::Rotation(const Matrix3& E, const Scalar& c, const Scalar& s) : E_(E) {
  if (is_sparse(E)) {
    angle_ = Angle{c, s};
  } else {
    E_ = E_ * rotation_z(c, s);
  }
}

Rotation::Rotation(const Matrix3& E, const Quaternion& quaternion) : E_(E) {
  const Matrix3 half = quaternion_half(quaternion);
  if (is_identity(E)) {
    half_ = half;
    quaternion_ = quaternion;
  }
  E_ = E_ * one_plus_twice(half);
}

Vector3 Rotation::to_parent(const Vector3& v) const {
  if (!angle_) return E_ * v;
  const auto& [c, s] = *angle_;
  return E_ * Vector3{c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

Vector3 Rotation::to_child_alone(const Vector3& v) const {
  if (!quaternion_ || is_number(v)) return to_child(v);
  const Vector3& u = quaternion_->u;
  const Vector3 c = cross(v, u);
  return v + (c * quaternion_->w + cross(c, u)) * Scalar(2.0);
}

Vector3 Rotation::to_parent_alone(const Vector3& v) const {
  if (!quaternion_ || is_number(v)) return to_parent(v);
  return rotate(*quaternion_, v);
}

Vector3 Rotation::to_child(const Vector3& v) const {
  if (half_ && is_number(v)) return v + half_->transposed() * (v * Scalar(2.0));
  const Vector3 u = E_.transposed() * v;
  if (!angle_) return u;
  const auto& [c, s] = *angle_;
  return {c * u.x + s * u.y, c * u.y - s * u.x, u.z};
}

Symmetric3 Rotation::to_parent(const Symmetric3& A) const {
  return congruence(E_, angle_ ? rotate_z(A, angle_->c, angle_->s) : A);
}

Matrix3 Rotation::matrix() const { return angle_ ? E_ * rotation_z(angle_->c, angle_->s) : E_; }

kinematics::BodyInfo<double> walk_row(const model::Joint& joint, int run) {
  const model::JointRow& row = joint.row();
  const int angle = row.angle() < 0 ? 0 : joint.idx_q + row.angle();
  const double pitch = row.needs_pitch() ? joint.pitch : 0.0;
  return {run, joint.idx_v, walk_motion(row), angle, joint.offset, joint.multiplier, pitch};
}

JointMotion joint_motion(const Context& context, int i, const Coordinates& own, const Scalar& c,
                         const Scalar& s) {
  const auto [E, p0] = context.placement(i);
  const Vector3 p = p0 + E * joint_offset(context, i, own);
  if (const std::optional<Quaternion> turn = own_quaternion(context, i, own)) return {Rotation(E, *turn), p};
  if (context.joint(i).row().angle() < 0) return {Rotation(E), p};
  return {Rotation(E, c, s), p};
}

Scalar joint_angle(const Context& context, int i) {
  const model::Joint& joint = context.joint(i);
  if (joint.turns_rotor) return Scalar(0.0);
  const Scalar& own = context.input("q")[index(joint.idx_q + joint.row().angle())];
  return context.number(i, &model::Joint::multiplier) * own + context.number(i, &model::Joint::offset);
}

Turn joint_turn(Context& context, int i) {
  using std::cos, std::sin;
  if (context.joint(i).turns_rotor) return {Scalar(1.0), Scalar(0.0)};
  const std::string joint = context.joint_name(i);
  const auto* turn = context.known_turn(context.joint(i).idx_q);
  if (turn != nullptr && context.joint(i).multiplier == 1.0) {
    const double offset = context.joint(i).offset;
    const Scalar c0(std::cos(offset)), s0(std::sin(offset)), &c = turn->first, &s = turn->second;
    return {context.label(c * c0 - s * s0, "c_" + joint), context.label(s * c0 + c * s0, "s_" + joint)};
  }
  const Scalar angle = joint_angle(context, i), c = cos(angle), s = sin(angle);
  return {context.label(c, "c_" + joint), context.label(s, "s_" + joint)};
}

JointMotion joint_motion(Context& context, int i) {
  const Coordinates own = own_coordinates(context, i);
  if (context.joint(i).row().angle() < 0) return joint_motion(context, i, own, Scalar(1.0), Scalar(0.0));
  const Turn turn = joint_turn(context, i);
  return joint_motion(context, i, own, turn.c, turn.s);
}

DualQuaternion joint_pose(Context& context, int i) {
  using std::cos, std::sin;
  const model::Joint& joint = context.joint(i);
  const Coordinates own = own_coordinates(context, i);
  const Scalar zero(0.0);
  Quaternion turn{{zero, zero, zero}, Scalar(1.0)};
  if (const auto given = own_quaternion(context, i, own)) {
    turn = *given;
  } else if (joint.row().angle() >= 0) {
    const Scalar half = joint_angle(context, i) * Scalar(0.5), c = cos(half), s = sin(half);
    turn = {{zero, zero, context.label(s, "s_half_" + joint.name)}, context.label(c, "c_half_" + joint.name)};
  }
  const Eigen::Quaterniond E(joint.placement.R);
  return pose(Quaternion{to_vector(E.vec()), Scalar(E.w())}, to_vector(joint.placement.p)) *
         pose(turn, joint_offset(context, i, own));
}

Motion joint_rate(const Context& context, int i, const Coordinates& x) {
  Motion rate;
  for (const JointAxis& axis : context.axes(i))
    rate = rate + axis.S * (axis.multiplier * x[index(axis.idx_v)]);
  return rate;
}

}  // namespace featherline::algorithms
