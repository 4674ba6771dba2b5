#pragma once

#include <featherline/joint_info.hpp>

#include <algorithm>
#include <array>
#include <vector>

/// q, v and a of MuJoCo from ours and back. runtime/guide/coming_from_mujoco.md shows this code, and a test compares
/// the two and tries the code on values of MuJoCo.
namespace coming_from_mujoco {

// [page]
inline int quaternion_of(const featherline::JointInfo& joint) {
  const bool is_free = joint.type == featherline::JointType::floating;
  return is_free ? 3 : joint.type == featherline::JointType::spherical ? 0 : -1;
}

/// q with the four numbers of each quaternion rotated, so that the one at `first` comes first.
template <class Joints>
std::vector<double> with_rotated_quaternions(const Joints& joints, std::vector<double> q, int first) {
  for (const featherline::JointInfo& joint : joints) {
    if (quaternion_of(joint) < 0) continue;
    double* p = q.data() + joint.idx_q + quaternion_of(joint);
    std::rotate(p, p + first, p + 4);
  }
  return q;
}

/// qpos from our q: quaternions begin with w.
template <class Joints>
std::vector<double> qpos_from_q(const Joints& joints, const std::vector<double>& q) {
  return with_rotated_quaternions(joints, q, 3);
}

/// Our q from qpos: quaternions end with w.
template <class Joints>
std::vector<double> q_from_qpos(const Joints& joints, const std::vector<double>& qpos) {
  return with_rotated_quaternions(joints, qpos, 1);
}

using Vector = std::array<double, 3>;

inline Vector cross(const Vector& a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// u turned by the quaternion x y z w; by its inverse if sign is -1.
inline Vector turned(const double* quaternion, double sign, const double* u) {
  const Vector axis = {sign * quaternion[0], sign * quaternion[1], sign * quaternion[2]};
  const Vector once = cross(axis, u), twice = cross(axis, once.data());
  const auto part = [&](std::size_t i) { return u[i] + 2.0 * (quaternion[3] * once[i] + twice[i]); };
  return {part(0), part(1), part(2)};
}

/// Linear parts of free joints: ours are in the axes of the body, MuJoCo's in those of the world.
template <class Joints>
std::vector<double> with_turned_bases(const Joints& joints, const double* q, std::vector<double> v,
                                      double sign) {
  for (const featherline::JointInfo& joint : joints) {
    if (joint.type != featherline::JointType::floating) continue;
    double* linear = v.data() + joint.idx_v;
    const Vector u = turned(q + joint.idx_q + 3, sign, linear);
    for (std::size_t i = 0; i < 3; ++i) linear[i] = u[i];
  }
  return v;
}

/// qvel from our v, and qfrc from our tau.
template <class Joints>
std::vector<double> qvel_from_v(const Joints& joints, const double* q, const std::vector<double>& v) {
  return with_turned_bases(joints, q, v, 1.0);
}

/// Our v from qvel, and our tau from qfrc.
template <class Joints>
std::vector<double> v_from_qvel(const Joints& joints, const double* q, const std::vector<double>& qvel) {
  return with_turned_bases(joints, q, qvel, -1.0);
}

/// w x u of free joints, in the axes of the body: what the rate of u lacks of the acceleration of the base.
template <class Joints>
void add_turning(const Joints& joints, const double* v, double sign, std::vector<double>& a) {
  for (const featherline::JointInfo& joint : joints) {
    if (joint.type != featherline::JointType::floating) continue;
    const double *u = v + joint.idx_v, *w = u + 3;
    const Vector turning = cross({w[0], w[1], w[2]}, u);
    double* linear = a.data() + joint.idx_v;
    for (std::size_t i = 0; i < 3; ++i) linear[i] += sign * turning[i];
  }
}

/// qacc from our a. q and v are ours.
template <class Joints>
std::vector<double> qacc_from_a(const Joints& joints, const double* q, const double* v,
                                std::vector<double> a) {
  add_turning(joints, v, 1.0, a);
  return with_turned_bases(joints, q, a, 1.0);
}

/// Our a from qacc. q and v are ours.
template <class Joints>
std::vector<double> a_from_qacc(const Joints& joints, const double* q, const double* v,
                                const std::vector<double>& qacc) {
  std::vector<double> a = with_turned_bases(joints, q, qacc, -1.0);
  add_turning(joints, v, -1.0, a);
  return a;
}
// [page]

}  // namespace coming_from_mujoco
