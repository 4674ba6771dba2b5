#pragma once

#include "model/build_tree.hpp"
#include "model/tree.hpp"
#include "reference/algebra.hpp"
#include "reference/hyper_dual.hpp"
#include "support/diagnostic.hpp"

#include <array>
#include <cmath>
#include <type_traits>

/// Joint models (RBDA table 4.1): pose, motion subspace and velocity product of each joint type, a step in its tangent
/// space, and the forces of its drive. The reference reads only counts and names from the joint table, no mathematics.
namespace featherline::reference {

/// R of the rotation by `angle` about a unit axis (Rodrigues).
template <class T>
Matrix3<T> axis_rotation(const Vector3<T>& axis, const T& angle) {
  using std::cos;
  using std::sin;
  const Matrix3<T> n = skew(axis), one = Matrix3<T>::Identity();
  return one + n * sin(angle) + n * n * (T(1) - cos(angle));
}

/// R of the unit quaternion [x y z w]. The quaternion is not normalised again.
template <class T>
Matrix3<T> quaternion_rotation(const Vector3<T>& xyz, const T& w) {
  const Matrix3<T> n = skew(xyz), one = Matrix3<T>::Identity();
  return one + (n * w + n * n) * T(2);
}

/// A value for each coordinate of a joint.
template <class V>
struct ByCoordinate : std::array<V, 6> {
  V& operator[](int k) { return this->data()[k]; }
  const V& operator[](int k) const { return this->data()[k]; }
};

/// The motion of a joint at (q, qd): the child frame B in the joint frame, and the velocity S qd of B, in B
/// coordinates.
template <class T>
struct JointState {
  Matrix3<T> R = Matrix3<T>::Identity();
  Vector3<T> p = Vector3<T>::Zero();
  ByCoordinate<Vector6<T>> S;         ///< the columns of the subspace, in the public order of v
  Vector6<T> c = Vector6<T>::Zero();  ///< (dS/dt seen from B) qd (RBDA 4.2: the ring derivative)
};

/// Joints with one coordinate: a screw about `axis`, `turn` radians and `advance` metres for each unit of q.
template <class T>
JointState<T> screw_state(const model::Joint& joint, double turn, double advance, const T& q) {
  const Vector3<T> axis = joint.axis.cast<T>();
  JointState<T> state;
  if (turn != 0.0) state.R = axis_rotation<T>(axis, q * T(turn));
  state.p = axis * (q * T(advance));
  state.S[0] = spatial<T>(axis * T(turn), axis * T(advance)) * T(joint.multiplier);
  return state;
}

/// q = [angle, displacement], both about and along `axis`.
template <class T>
JointState<T> cylindrical_state(const model::Joint& joint, const T* q) {
  const Vector3<T> axis = joint.axis.cast<T>(), zero = Vector3<T>::Zero();
  JointState<T> state;
  state.R = axis_rotation<T>(axis, q[0]);
  state.p = axis * q[1];
  state.S = {spatial(axis, zero), spatial(zero, axis)};
  return state;
}

/// q = [angle about `axis`, fixed in the parent; angle about `axis2`, fixed in the child]. The first axis turns
/// under the second joint when seen from the child, hence S depends on q and c does not vanish.
template <class T>
JointState<T> universal_state(const model::Joint& joint, const T* q, const T* qd) {
  const Vector3<T> first = joint.axis.cast<T>(), second = joint.axis2.cast<T>(), zero = Vector3<T>::Zero();
  const Matrix3<T> R2 = axis_rotation(second, q[1]);
  const Vector3<T> first_in_B = transposed(R2) * first;
  JointState<T> state;
  state.R = axis_rotation(first, q[0]) * R2;
  state.S = {spatial(first_in_B, zero), spatial(second, zero)};
  state.c = spatial<T>(skew(first_in_B) * second * (qd[0] * qd[1]), zero);
  return state;
}

/// q = [x y theta] in the plane normal to z, v = [vx vy omega] in B.
template <class T>
JointState<T> planar_state(const T* q) {
  JointState<T> state;
  state.R = axis_rotation<T>(Vector3<T>::UnitZ(), q[2]);
  state.p << q[0], q[1], T(0);
  state.S = {Vector6<T>::Unit(3), Vector6<T>::Unit(4), Vector6<T>::Unit(2)};
  return state;
}

/// q = [qx qy qz qw], v = angular velocity in B.
template <class T>
JointState<T> spherical_state(const T* q) {
  JointState<T> state;
  state.R = quaternion_rotation<T>({q[0], q[1], q[2]}, q[3]);
  for (int k = 0; k < 3; ++k) state.S[k] = Vector6<T>::Unit(k);
  return state;
}

/// q = [x y z qx qy qz qw], v = [linear; angular] in B.
template <class T>
JointState<T> floating_state(const T* q) {
  JointState<T> state;
  state.R = quaternion_rotation<T>({q[3], q[4], q[5]}, q[6]);
  state.p << q[0], q[1], q[2];
  for (int k = 0; k < 6; ++k) state.S[k] = Vector6<T>::Unit((k + 3) % 6);
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
    case JointType::fixed:
      break;
  }
  throw InternalError("the reference solver does not know a joint type");
}

/// sum_k (-x)^k / (2k + first)!. With x = angle^2 this is cos for first = 0, sin(angle)/angle for 1, (1 - cos)/angle^2
/// for 2 and (angle - sin)/angle^3 for 3. The series is entire in x. So a zero angle needs no branch, and any scalar
/// will do. 20 terms are exact to rounding for angles up to 2 pi. Beyond them the closed forms lose no digits: a light
/// body turns many times in a step.
template <class T>
T trigonometric_series(const T& x, int first) {
  double plain = 0.0;
  if constexpr (std::is_floating_point_v<T>)
    plain = static_cast<double>(x);
  else
    plain = static_cast<double>(x.re);
  if (plain > 30.0) {
    using std::cos, std::sin, std::sqrt;
    const T angle = sqrt(x);
    if (first == 0) return cos(angle);
    if (first == 1) return sin(angle) / angle;
    if (first == 2) return (T(1) - cos(angle)) / x;
    return (angle - sin(angle)) / (x * angle);
  }
  double factorial = 1.0;
  for (int n = 2; n <= first; ++n) factorial *= n;
  T sum(0), power(1);
  for (int k = 0; k < 20; ++k) {
    sum += power * T(1.0 / factorial);
    power = power * -x;
    factorial *= (2.0 * k + first + 1.0) * (2.0 * k + first + 2.0);
  }
  return sum;
}

/// Unit quaternion [x y z w] at `q` times exp(phi), phi [rad] in B.
template <class T>
void turn_quaternion(const Vector3<T>& phi, T* q) {
  const Vector3<T> half = phi * T(0.5);
  const T x = dot(half, half);
  const Vector3<T> v = half * trigonometric_series(x, 1);
  const T w = trigonometric_series(x, 0);
  const Vector3<T> u(q[0], q[1], q[2]);
  const T s = q[3];
  const Vector3<T> vector_part = v * s + u * w + skew(u) * v;
  for (int k = 0; k < 3; ++k) q[k] = vector_part[k];
  q[3] = s * w - dot(u, v);
}

/// exp of a constant twist [rho; phi] in B, applied for unit time, moves the origin by V(phi) rho.
template <class T>
Vector3<T> exponential_displacement(const Vector3<T>& rho, const Vector3<T>& phi) {
  const T x = dot(phi, phi);
  const Matrix3<T> W = skew(phi);
  return rho + W * rho * trigonometric_series(x, 2) + W * (W * rho) * trigonometric_series(x, 3);
}

/// q (+) dv of one joint.
template <class T>
void step_joint(const model::Joint& joint, const T* dv, T* q) {
  using model::JointType;
  if (joint.type == JointType::floating) {
    const Vector3<T> rho(dv[0], dv[1], dv[2]), phi(dv[3], dv[4], dv[5]);
    const Matrix3<T> R = joint_state<T>(joint, q, dv).R;
    const Vector3<T> shift = R * exponential_displacement(rho, phi);
    for (int k = 0; k < 3; ++k) q[k] += shift[k];
    turn_quaternion(phi, q + 3);
  } else if (joint.type == JointType::spherical) {
    turn_quaternion<T>({dv[0], dv[1], dv[2]}, q);
  } else if (joint.type == JointType::planar) {
    const Vector3<T> rho(dv[0], dv[1], T(0)), phi(T(0), T(0), dv[2]);
    const Vector3<T> shift = joint_state<T>(joint, q, dv).R * exponential_displacement(rho, phi);
    q[0] += shift[0];
    q[1] += shift[1];
    q[2] += dv[2];
  } else {
    for (int k = 0; k < joint.nv; ++k) q[k] += dv[k];
  }
}

// Compiled once for each scalar, in solver.cpp.
extern template JointState<double> joint_state(const model::Joint&, const double*, const double*);
extern template JointState<HyperDual<double>> joint_state(const model::Joint&, const HyperDual<double>*,
                                                          const HyperDual<double>*);

// What a drive adds to the coordinates of its joint:
//   tau += armature a + damping v + friction v / sqrt(v^2 + epsilon^2) + stiffness (q - rest)
// for each coordinate of joints with axes, of balls, and of free joints, which have no friction. Springs of the latter
// two are those of from_rest(). The rate is the joint's own: multiplier v for a coupled mimic. Friction is Coulomb's,
// smoothed so that it has derivatives; epsilon is model::friction_smoothing.

inline bool has_drive(const model::Joint& joint) {
  return (joint.row().moves_on_axes() || joint.type == model::JointType::spherical ||
          joint.type == model::JointType::floating) &&
         (joint.armature != 0.0 || joint.damping != 0.0 || joint.friction != 0.0);
}

/// The armature that acts on the public coordinate.
inline double felt_armature(const model::Joint& joint) {
  return has_drive(joint) ? joint.armature * joint.multiplier * joint.multiplier : 0.0;
}

/// The torque against the public rate v.
template <class T>
T friction_torque(const model::Joint& joint, const T& v) {
  if (!has_drive(joint)) return T(0);
  using std::sqrt;
  const T rate = v * T(joint.multiplier);
  const T speed = sqrt(rate * rate + T(model::friction_smoothing * model::friction_smoothing));
  return T(joint.multiplier) * (T(joint.damping) * rate + T(joint.friction) * rate / speed);
}

/// The force of a free joint's armature against v at rates that are constant: those in the axes of the world are not.
template <class T>
Vector3<T> turning_force(const model::Joint& joint, const T* v) {
  if (joint.type != model::JointType::floating) return Vector3<T>::Zero();
  const Vector3<T> u(v[0], v[1], v[2]), w(v[3], v[4], v[5]);
  return skew(w) * u * T(joint.armature);
}

/// Rotation vector of a quaternion of any length, the short way. The series is that of the arc sine; a quarter of the
/// turn, which is at most 45 degrees, makes it short and keeps zero from being an exception.
template <class T>
Vector3<T> rotation_vector(Vector3<T> u, T w) {
  using std::sqrt;
  double plain = 0.0;
  if constexpr (std::is_floating_point_v<T>)
    plain = static_cast<double>(w);
  else
    plain = static_cast<double>(w.re);
  const T one = sqrt(dot(u, u) + w * w) * T(plain < 0.0 ? -1 : 1);
  u = u * (T(1) / one);
  w = w / one;
  for (int half = 0; half < 2; ++half) {  // of q: q + 1 at unit length
    const T size = sqrt(T(2) + T(2) * w);
    u = u * (T(1) / size);
    w = (w + T(1)) / size;
  }
  const T x = dot(u, u);  // sin^2 of an eighth of the angle
  T sum(0), power(1);
  double factor = 1.0;
  for (int k = 0; k < 25; ++k) {
    sum += power * T(factor / (2 * k + 1));
    power = power * x;
    factor *= (2 * k + 1.0) / (2 * k + 2.0);
  }
  return u * (T(8) * sum);
}

/// How far the joint at q is from the rest of its spring, by coordinate of v.
template <class T>
ByCoordinate<T> from_rest(const model::Joint& joint, const T* q) {
  ByCoordinate<T> d{};
  if (joint.row().moves_on_axes()) {
    for (int k = 0; k < joint.nv; ++k) d[k] = q[k] * T(joint.multiplier) - T(joint.rest);
    return d;
  }
  const int slides = joint.nv - 3;
  const std::array<double, 7>& rest = joint.rest_pose;
  const Vector3<T> u0 = Eigen::Vector3d(rest[3], rest[4], rest[5]).cast<T>(),
                   p0 = Eigen::Vector3d(rest[0], rest[1], rest[2]).cast<T>();
  const Vector3<T> u(q[slides], q[slides + 1], q[slides + 2]);
  const T w0 = T(rest[6]), w = q[slides + 3];
  const Vector3<T> turn = rotation_vector<T>(u * w0 - u0 * w - skew(u0) * u, w * w0 + dot(u0, u));
  for (int k = 0; k < 3; ++k) d[slides + k] = turn[k];
  if (slides == 0) return d;
  const Vector3<T> moved = Vector3<T>(q[0], q[1], q[2]) - p0,
                   shift = transposed(quaternion_rotation<T>(u, w)) * moved;
  for (int k = 0; k < 3; ++k) d[k] = shift[k];
  return d;
}

/// The torque of coordinate k against a spring, from the public coordinates of the joint.
template <class T>
T spring_torque(const model::Joint& joint, const T* q, int k) {
  return joint.stiffness == 0.0 ? T(0) : T(joint.multiplier * joint.stiffness) * from_rest(joint, q)[k];
}

/// What a tendon adds: its force, at each end times the end's coefficient.
template <class T>
void add_tendon(const model::Tendon& tendon, const VectorX<T>& q, const VectorX<T>& v, const VectorX<T>& a,
                VectorX<T>& tau) {
  using std::sqrt;
  T stretch = T(-tendon.rest), rate(0), acceleration(0);
  for (const model::TendonEnd& end : tendon.ends) {
    stretch += q[end.idx_q] * T(end.coefficient);
    rate += v[end.idx_v] * T(end.coefficient);
    acceleration += a[end.idx_v] * T(end.coefficient);
  }
  const T speed = sqrt(rate * rate + T(model::friction_smoothing * model::friction_smoothing));
  const T force = acceleration * T(tendon.armature) + rate * T(tendon.damping) +
                  rate / speed * T(tendon.friction) + stretch * T(tendon.stiffness);
  for (const model::TendonEnd& end : tendon.ends) tau[end.idx_v] += force * T(end.coefficient);
}

/// Adds x c c^T, where c has the coefficients of a tendon.
template <class T>
void add_between_ends(const model::Tendon& tendon, double x, MatrixX<T>& A) {
  for (const model::TendonEnd& i : tendon.ends) {
    for (const model::TendonEnd& j : tendon.ends) A(i.idx_v, j.idx_v) += T(x * i.coefficient * j.coefficient);
  }
}

}  // namespace featherline::reference
