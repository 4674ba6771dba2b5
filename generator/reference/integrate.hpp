#pragma once

#include "model/tree.hpp"
#include "reference/joint.hpp"

/// Steps in the tangent space: q (+) dv, where dv has the coordinates of v. Lie derivatives are derivatives along
/// these steps, D_j f(q) = d/de f(q (+) e e_j) at e = 0.
namespace featherline::reference {

/// sum_k (-x)^k / (2k + first)!. With x = angle^2: cos for first = 0, sin(angle)/angle for 1, (1 - cos)/angle^2 for
/// 2, (angle - sin)/angle^3 for 3. Entire in x, so no branch at a zero angle and any scalar passes; 20 terms reach
/// rounding for angles up to 2 pi.
template <class T>
T trigonometric_series(const T& x, int first) {
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
  const T x = (half.transpose() * half).value();
  const Vector3<T> v = half * trigonometric_series(x, 1);
  const T w = trigonometric_series(x, 0);
  const Vector3<T> u(q[0], q[1], q[2]);
  const T s = q[3];
  const Vector3<T> vector_part = v * s + u * w + skew(u) * v;
  for (int k = 0; k < 3; ++k) q[k] = vector_part[k];
  q[3] = s * w - (u.transpose() * v).value();
}

/// exp of a constant twist [rho; phi] in B over unit time displaces the origin by V(phi) rho.
template <class T>
Vector3<T> exponential_displacement(const Vector3<T>& rho, const Vector3<T>& phi) {
  const T x = (phi.transpose() * phi).value();
  const Matrix3<T> W = skew(phi);
  return rho + W * rho * trigonometric_series(x, 2) + W * (W * rho) * trigonometric_series(x, 3);
}

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

/// q (+) dv; q is nq, dv is nv. Each joint moves for unit time with the constant velocity dv in its body frame.
template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv) {
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // its driver takes the step
    step_joint<T>(body.joint, dv.data() + body.joint.idx_v, q.data() + body.joint.idx_q);
  }
  return q;
}

}  // namespace featherline::reference
