#pragma once

#include "support/diagnostic.hpp"
#include "model/tree.hpp"
#include "reference/spatial.hpp"

#include <cmath>

/// Joint models (RBDA table 4.1): pose, motion subspace and velocity product of each joint type.
namespace featherline::reference {

/// R of the rotation by `angle` about a unit axis (Rodrigues).
template <class T>
Matrix3<T> axis_rotation(const Vector3<T>& axis, const T& angle) {
  using std::cos;
  using std::sin;
  const Matrix3<T> n = skew(axis);
  return Matrix3<T>::Identity() + n * sin(angle) + n * n * (T(1) - cos(angle));
}

/// R of the unit quaternion [x y z w]; not renormalised.
template <class T>
Matrix3<T> quaternion_rotation(const Vector3<T>& xyz, const T& w) {
  const Matrix3<T> n = skew(xyz);
  return Matrix3<T>::Identity() + (n * w + n * n) * T(2);
}

/// What a joint does at (q, qd): the child frame B in the joint frame, and J's velocity in B coordinates, S qd.
template <class T>
struct JointState {
  Matrix3<T> R = Matrix3<T>::Identity();
  Vector3<T> p = Vector3<T>::Zero();
  Subspace<T> S;                      ///< columns in the public order of v
  Vector6<T> c = Vector6<T>::Zero();  ///< (dS/dt seen from B) qd (RBDA 4.2: the ring derivative)
};

template <class T>
Vector6<T> spatial(const Vector3<T>& angular, const Vector3<T>& linear) {
  Vector6<T> v;
  v << angular, linear;
  return v;
}

/// Joints with one coordinate: a screw about `axis`, `turn` radians and `advance` metres for each unit of q.
template <class T>
JointState<T> screw_state(const model::Joint& joint, double turn, double advance, const T& q) {
  const Vector3<T> axis = joint.axis.cast<T>();
  JointState<T> state;
  if (turn != 0.0) state.R = axis_rotation<T>(axis, q * T(turn));
  state.p = axis * (q * T(advance));
  state.S = spatial<T>(axis * T(turn), axis * T(advance)) * T(joint.multiplier);
  return state;
}

/// q = [angle, displacement], both about and along `axis`.
template <class T>
JointState<T> cylindrical_state(const model::Joint& joint, const T* q) {
  const Vector3<T> axis = joint.axis.cast<T>(), zero = Vector3<T>::Zero();
  JointState<T> state;
  state.R = axis_rotation<T>(axis, q[0]);
  state.p = axis * q[1];
  state.S.resize(6, 2);
  state.S << spatial<T>(axis, zero), spatial<T>(zero, axis);
  return state;
}

/// q = [angle about `axis`, fixed in the parent; angle about `axis2`, fixed in the child]. The first axis turns
/// under the second joint when seen from the child, hence S depends on q and c does not vanish.
template <class T>
JointState<T> universal_state(const model::Joint& joint, const T* q, const T* qd) {
  const Vector3<T> second = joint.axis2.cast<T>(), zero = Vector3<T>::Zero();
  const Matrix3<T> R2 = axis_rotation<T>(second, q[1]);
  const Vector3<T> first_in_B = R2.transpose() * joint.axis.cast<T>();
  JointState<T> state;
  state.R = axis_rotation<T>(joint.axis.cast<T>(), q[0]) * R2;
  state.S.resize(6, 2);
  state.S << spatial<T>(first_in_B, zero), spatial<T>(second, zero);
  state.c = spatial<T>(-(skew<T>(second) * first_in_B) * (qd[0] * qd[1]), zero);
  return state;
}

/// q = [x y theta] in the plane normal to z, v = [vx vy omega] in B.
template <class T>
JointState<T> planar_state(const T* q) {
  JointState<T> state;
  state.R = axis_rotation<T>(Vector3<T>::UnitZ(), q[2]);
  state.p << q[0], q[1], T(0);
  state.S.setZero(6, 3);
  state.S(3, 0) = state.S(4, 1) = state.S(2, 2) = T(1);
  return state;
}

/// q = [qx qy qz qw], v = angular velocity in B.
template <class T>
JointState<T> spherical_state(const T* q) {
  JointState<T> state;
  state.R = quaternion_rotation<T>({q[0], q[1], q[2]}, q[3]);
  state.S.setZero(6, 3);
  state.S.template topRows<3>().setIdentity();
  return state;
}

/// q = [x y z qx qy qz qw], v = [linear; angular] in B.
template <class T>
JointState<T> floating_state(const T* q) {
  JointState<T> state;
  state.R = quaternion_rotation<T>({q[3], q[4], q[5]}, q[6]);
  state.p << q[0], q[1], q[2];
  state.S.setZero(6, 6);
  state.S.template bottomLeftCorner<3, 3>().setIdentity();
  state.S.template topRightCorner<3, 3>().setIdentity();
  return state;
}

/// `q` and `qd` point at the joint's own coordinates. Mimic joints see multiplier * q + offset.
template <class T>
JointState<T> joint_state(const model::Joint& joint, const T* q, const T* qd) {
  using model::JointType;
  const auto coordinate = [&] { return q[0] * T(joint.multiplier) + T(joint.offset); };
  switch (joint.type) {
    case JointType::revolute:
    case JointType::continuous:
      return screw_state<T>(joint, 1.0, 0.0, coordinate());
    case JointType::prismatic:
      return screw_state<T>(joint, 0.0, 1.0, coordinate());
    case JointType::helical:
      return screw_state<T>(joint, 1.0, joint.pitch, coordinate());
    case JointType::cylindrical:
      return cylindrical_state<T>(joint, q);
    case JointType::universal:
      return universal_state<T>(joint, q, qd);
    case JointType::planar:
      return planar_state<T>(q);
    case JointType::spherical:
      return spherical_state<T>(q);
    case JointType::floating:
      return floating_state<T>(q);
  }
  throw InternalError("the reference solver does not know a joint type");
}

}  // namespace featherline::reference
