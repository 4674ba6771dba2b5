#include "algorithms/joints.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace featherline::algorithms {
namespace {

using model::JointType;

constexpr int sparse_rotation_entries = 5;  // identity, permutation, or a rotation about a coordinate axis

template <class T>
bool is_sparse(const Matrix3<T>& E) {
  using algebra::is_zero;  // of numbers; that of symbols is found beside them
  int entries = 0;
  for (int k = 0; k < 9; ++k) entries += is_zero(E(k % 3, k / 3)) ? 0 : 1;
  return entries <= sparse_rotation_entries;
}

bool is_identity(const Matrix3<Scalar>& E) {
  for (int k = 0; k < 9; ++k) {
    const Scalar& e = E(k % 3, k / 3);
    if (!(e == Scalar(k % 4 == 0 ? 1.0 : 0.0))) return false;
  }
  return true;
}
bool is_identity(const Matrix3<double>&) { return false; }

template <class T>
Matrix3<T> rotation_z(const T& c, const T& s) {
  const T zero(0.0);
  return {{{c, -s, zero}, {s, c, zero}, {zero, zero, T(1.0)}}};
}

/// (R - 1) / 2 of a unit quaternion.
template <class T>
Matrix3<T> quaternion_half(const Quaternion<T>& quaternion) {
  const auto& [x, y, z] = quaternion.u;
  const T& w = quaternion.w;
  const T xx = x * x, yy = y * y, zz = z * z;
  const T xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
  return {{{-(yy + zz), xy - wz, xz + wy}, {xy + wz, -(xx + zz), yz - wx}, {xz - wy, yz + wx, -(xx + yy)}}};
}

template <class T>
Matrix3<T> one_plus_twice(const Matrix3<T>& half) {
  Matrix3<T> R;
  for (int k = 0; k < 9; ++k) R(k % 3, k / 3) = T(k % 4 == 0 ? 1.0 : 0.0) + half(k % 3, k / 3) * T(2.0);
  return R;
}

/// R A R^T for a rotation about z: 10 flops for the upper block, 6 for the rest.
template <class T>
Symmetric3<T> rotate_z(const Symmetric3<T>& A, const T& c, const T& s) {
  const T u = s * (A.xx - A.yy) + c * (T(2.0) * A.xy);
  const T su = s * u;
  return {A.xx - su, c * u - A.xy, c * A.xz - s * A.yz, A.yy + su, s * A.xz + c * A.yz, A.zz};
}

/// The coordinates of the joint itself: those that it has or mimics, times the multiplier.
template <class T>
Coordinates<T> own_coordinates(const Context<T>& context, int i) {
  const model::Joint& joint = context.joint(i);
  Coordinates<T> own;
  for (int k = 0; k < joint.nq; ++k)
    own.push_back(context.number(i, &model::Joint::multiplier) *
                  context.input("q")[static_cast<std::size_t>(joint.idx_q + k)]);
  return own;
}

/// How far the child's origin has moved, in the axes that it has at zero.
template <class T>
Vector3<T> joint_offset(const Context<T>& context, int i, const Coordinates<T>& own) {
  const T zero(0.0);
  switch (context.joint(i).type) {
    case JointType::helical:
      return {zero, zero,
              context.number(i, &model::Joint::pitch) * (own[0] + context.number(i, &model::Joint::offset))};
    case JointType::prismatic:
      return {zero, zero, own[0] + context.number(i, &model::Joint::offset)};
    case JointType::planar:
      return {own[0], own[1], zero};
    case JointType::floating:
      return {own[0], own[1], own[2]};
    default:
      return {zero, zero, zero};
  }
}

/// The turn of a joint whose coordinates have a quaternion.
template <class T>
std::optional<Quaternion<T>> own_quaternion(const Context<T>& context, int i, const Coordinates<T>& own) {
  const int first = context.joint(i).row().quaternion();
  if (first < 0) return std::nullopt;
  const T* entry = own.data() + first;
  return Quaternion<T>{{entry[0], entry[1], entry[2]}, entry[3]};
}

}  // namespace

template <class T>
Rotation<T>::Rotation(const Matrix3<T>& E, const T& c, const T& s) : E_(E) {
  if (is_sparse(E)) {
    angle_ = Angle{c, s};
  } else {
    E_ = E_ * rotation_z(c, s);
  }
}

template <class T>
Rotation<T>::Rotation(const Matrix3<T>& E, const Quaternion<T>& quaternion) : E_(E) {
  const Matrix3<T> half = quaternion_half(quaternion);
  if (is_identity(E)) {
    half_ = half;
    quaternion_ = quaternion;
  }
  E_ = E_ * one_plus_twice(half);
}

template <class T>
Vector3<T> Rotation<T>::to_parent(const Vector3<T>& v) const {
  if (!angle_) return E_ * v;
  const auto& [c, s] = *angle_;
  return E_ * Vector3<T>{c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

template <class T>
Vector3<T> Rotation<T>::to_child_alone(const Vector3<T>& v) const {
  if (!quaternion_ || is_number(v)) return to_child(v);
  const Vector3<T>& u = quaternion_->u;
  const Vector3<T> c = cross(v, u);
  return v + (c * quaternion_->w + cross(c, u)) * T(2.0);
}

template <class T>
Vector3<T> Rotation<T>::to_parent_alone(const Vector3<T>& v) const {
  if (!quaternion_ || is_number(v)) return to_parent(v);
  return rotate(*quaternion_, v);
}

template <class T>
Vector3<T> Rotation<T>::to_child(const Vector3<T>& v) const {
  if (half_ && is_number(v)) return v + half_->transposed() * (v * T(2.0));
  const Vector3<T> u = E_.transposed() * v;
  if (!angle_) return u;
  const auto& [c, s] = *angle_;
  return {c * u.x + s * u.y, c * u.y - s * u.x, u.z};
}

template <class T>
Symmetric3<T> Rotation<T>::to_parent(const Symmetric3<T>& A) const {
  return congruence(E_, angle_ ? rotate_z(A, angle_->c, angle_->s) : A);
}

template <class T>
Matrix3<T> Rotation<T>::matrix() const {
  return angle_ ? E_ * rotation_z(angle_->c, angle_->s) : E_;
}

JointAngle angle_of(const model::Joint& joint) { return {joint.row().angle(), joint.offset}; }

template <class T>
JointMotion<T> joint_motion(const Context<T>& context, int i, const Coordinates<T>& own, const T& c,
                            const T& s) {
  const Matrix3<T> E = context.placement_R(i);
  const Vector3<T> p = context.placement_p(i) + E * joint_offset(context, i, own);
  if (const std::optional<Quaternion<T>> turn = own_quaternion(context, i, own))
    return {Rotation<T>(E, *turn), p};
  if (angle_of(context.joint(i)).entry < 0) return {Rotation<T>(E), p};
  return {Rotation<T>(E, c, s), p};
}

template <class T>
T joint_angle(const Context<T>& context, int i) {
  const model::Joint& joint = context.joint(i);
  const JointAngle angle = angle_of(joint);
  const T& own = context.input("q")[static_cast<std::size_t>(joint.idx_q + angle.entry)];
  return context.number(i, &model::Joint::multiplier) * own + context.number(i, &model::Joint::offset);
}

template <class T>
Turn<T> joint_turn(Context<T>& context, int i) {
  using std::cos, std::sin;
  const std::string& joint = context.joint(i).name;
  const T angle = joint_angle(context, i), c = cos(angle), s = sin(angle);
  return {context.label(c, "c_" + joint), context.label(s, "s_" + joint)};
}

template <class T>
JointMotion<T> joint_motion(Context<T>& context, int i) {
  const Coordinates<T> own = own_coordinates(context, i);
  if (angle_of(context.joint(i)).entry < 0) return joint_motion(context, i, own, T(1.0), T(0.0));
  const Turn<T> turn = joint_turn(context, i);
  return joint_motion(context, i, own, turn.c, turn.s);
}

template <class T>
DualQuaternion<T> joint_pose(Context<T>& context, int i) {
  using std::cos, std::sin;
  const model::Joint& joint = context.joint(i);
  const Coordinates<T> own = own_coordinates(context, i);
  const T zero(0.0);
  Quaternion<T> turn{{zero, zero, zero}, T(1.0)};
  if (const auto given = own_quaternion(context, i, own)) {
    turn = *given;
  } else if (angle_of(joint).entry >= 0) {
    const T half = joint_angle(context, i) * T(0.5), c = cos(half), s = sin(half);
    turn = {{zero, zero, context.label(s, "s_half_" + joint.name)}, context.label(c, "c_half_" + joint.name)};
  }
  const Eigen::Quaterniond E(joint.placement.R);
  return pose(Quaternion<T>{to_vector<T>(E.vec()), T(E.w())}, to_vector<T>(joint.placement.p)) *
         pose(turn, joint_offset(context, i, own));
}

template <class T>
Motion<T> joint_rate(const Context<T>& context, int i, const Coordinates<T>& x) {
  Motion<T> rate;
  for (const JointAxis<T>& axis : context.axes(i))
    rate = rate + axis.S * (axis.multiplier * x[static_cast<std::size_t>(axis.idx_v)]);
  return rate;
}

template class Rotation<Scalar>;
template class Rotation<double>;
template Scalar joint_angle(const Context<Scalar>&, int);
template Turn<Scalar> joint_turn(Context<Scalar>&, int);
template Turn<double> joint_turn(Context<double>&, int);
template JointMotion<Scalar> joint_motion(Context<Scalar>&, int);
template JointMotion<double> joint_motion(Context<double>&, int);
template JointMotion<Scalar> joint_motion(const Context<Scalar>&, int, const Coordinates<Scalar>&,
                                          const Scalar&, const Scalar&);
template DualQuaternion<Scalar> joint_pose(Context<Scalar>&, int);
template Motion<Scalar> joint_rate(const Context<Scalar>&, int, const Coordinates<Scalar>&);
template Motion<double> joint_rate(const Context<double>&, int, const Coordinates<double>&);

}  // namespace featherline::algorithms
