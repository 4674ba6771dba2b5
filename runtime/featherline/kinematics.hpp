// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/reference_frame.hpp>
#include <featherline/sincos.hpp>

#include <type_traits>

/// The part of emitted kinematics that is the same for every robot: the walk from the world to a link.
///
/// The emitted class `Robot` has these members:
///   nv, num_bodies
///   max_path      the number of bodies on the longest path, at least 1
///   max_columns   the largest number of degrees of freedom on a path, at least 1
///   bodies[]      a BodyInfo for each body
///   links[]       a LinkInfo for each link
///   pose_step()   the equations of each joint; algorithms/kinematics.hpp of the generator describes its arguments
///
/// Rotations are 3 x 3, column-major. R_WB takes components in frame B to components in the world frame. p_WB is the
/// origin of B, measured from the origin of the world.
namespace featherline::kinematics {

/// The type of the numbers in the tables. It is float for functions of float, so that they need no conversion and no
/// double arithmetic.
template <class S>
using TableReal = std::conditional_t<std::is_same_v<S, float>, float, double>;

/// One moving body and its joint.
template <class Real>
struct BodyInfo {
  int parent;  ///< -1: the world
  int idx_q, nq, idx_v, nv;
  Real multiplier;    ///< of a mimic joint, otherwise 1
  int angle_entry;    ///< the coordinate of the joint whose sine and cosine pose_step() needs, or -1
  Real angle_offset;  ///< is added to this coordinate
};

/// A link's frame L in the frame B of the body that carries it.
template <class Real>
struct LinkInfo {
  int body;      ///< -1: welded to the world
  bool at_body;  ///< R_BL = 1 and p_BL = 0
  Real R_BL[9];
  Real p_BL[3];
};

inline constexpr int pose_size = 12;      ///< R column-major, then p
inline constexpr int max_joint_size = 7;  ///< coordinates of the largest joint, the floating one

/// The bodies on the way to a link, their poses, and the axes of their joints.
template <class Robot, class S>
struct Path {
  int size = 0;  ///< bodies from the root outwards
  int body[Robot::max_path];
  S p_WB[3 * Robot::max_path];
  S axes[6 * Robot::max_columns];  ///< [linear; angular] velocity of the body's origin at unit joint speed
  S poses[2 * pose_size];          ///< poses of the last two bodies: body i is at i modulo 2

  S* pose(int i) { return poses + pose_size * (i & 1); }
  /// The pose of the last body.
  const S* pose() const { return poses + pose_size * ((size - 1) & 1); }
};

template <class Robot, class S>
inline const BodyInfo<TableReal<S>>& body_info(int body) {
  return Robot::template bodies<TableReal<S>>[body];
}

template <class Robot, class S>
inline const LinkInfo<TableReal<S>>& link_info(int link) {
  return Robot::template links<TableReal<S>>[link];
}

/// c = a x b.
template <class S>
inline void cross(const S* a, const S* b, S* c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/// The number of angles in a block. sincos() computes one block at a time, so arrays for up to `max` angles are
/// rounded up to whole blocks.
template <int max>
inline constexpr int angle_block = max < 8 ? max : 8;
template <int max>
inline constexpr int angle_capacity = (max + angle_block<max> - 1) / angle_block<max>* angle_block<max>;

/// Sines and cosines of the first n <= max angles. The rest of the last block is set to zero and computed, too.
template <int max, class S>
inline void sincos_up_to(int n, S* angle, S* s, S* c) {
  constexpr int block = angle_block<max>;
  for (int i = n; i < angle_capacity<max>; ++i) angle[i] = static_cast<S>(0.0);
  for (int i = 0; i < max && i < n; i += block) sincos<block>(angle + i, s + i, c + i);
}

/// The coordinates of the joint, times the mimic multiplier, without the offset.
template <class S>
inline void joint_coordinates(const BodyInfo<TableReal<S>>& body, const S* q, S* x) {
  for (int k = 0; k < body.nq; ++k) {
    x[k] = q[body.idx_q + k];
    if (body.multiplier != TableReal<S>(1.0)) x[k] = static_cast<S>(body.multiplier) * x[k];
  }
}

/// Lists the bodies from the root to `last`.
template <class Robot, class S>
inline void list_bodies(int last, Path<Robot, S>& path) {
  path.size = 0;
  for (int b = last; b >= 0; b = body_info<Robot, S>(b).parent) ++path.size;
  int i = path.size;
  for (int b = last; b >= 0; b = body_info<Robot, S>(b).parent) path.body[--i] = b;
}

/// Writes sine and cosine for the i-th body of the path to sc[2 i] and sc[2 i + 1]. It writes nothing if the joint
/// has no angle.
template <class Robot, class S>
inline void path_sincos(const S* q, const Path<Robot, S>& path, S* sc) {
  constexpr int capacity = angle_capacity<Robot::max_path>;
  S angle[capacity], s[capacity], c[capacity];
  int n = 0;
  for (int i = 0; i < path.size; ++i) {
    const auto& body = body_info<Robot, S>(path.body[i]);
    if (body.angle_entry < 0) continue;
    S x[max_joint_size];
    joint_coordinates(body, q, x);
    angle[n++] = x[body.angle_entry] + static_cast<S>(body.angle_offset);
  }
  sincos_up_to<Robot::max_path>(n, angle, s, c);
  n = 0;
  for (int i = 0; i < path.size; ++i) {
    if (body_info<Robot, S>(path.body[i]).angle_entry < 0) continue;
    sc[2 * i] = s[n];
    sc[2 * i + 1] = c[n++];
  }
}

/// Computes the poses from the world to body `last`, one after the other.
template <class Robot, class S>
inline void follow_path(const S* q, int last, Path<Robot, S>& path) {
  if constexpr (Robot::num_bodies == 0) return;
  list_bodies(last, path);
  S sc[2 * Robot::max_path];
  path_sincos(q, path, sc);
  int column = 0;
  for (int i = 0; i < path.size; ++i) {
    const auto& body = body_info<Robot, S>(path.body[i]);
    S x[max_joint_size];
    joint_coordinates(body, q, x);
    S* pose = path.pose(i);
    Robot::pose_step(path.body[i], path.pose(i + 1), x, sc + 2 * i, pose, path.axes + 6 * column);
    for (int k = 0; k < 3; ++k) path.p_WB[3 * i + k] = pose[9 + k];
    column += body.nv;
  }
}

/// The pose of the link: the pose of its body, then the constant pose of the link in the body.
template <class Robot, class S>
inline void link_pose(const LinkInfo<TableReal<S>>& link, const Path<Robot, S>& path, S* R, S* p) {
  const S* body = path.pose();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R[i + 3 * j] = link.body < 0 ? static_cast<S>(link.R_BL[i + 3 * j]) : body[i + 3 * j];
    }
    p[i] = link.body < 0 ? static_cast<S>(link.p_BL[i]) : body[9 + i];
  }
  if (link.at_body || link.body < 0) return;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      R[i + 3 * j] = body[i] * static_cast<S>(link.R_BL[3 * j]) +
                     body[i + 3] * static_cast<S>(link.R_BL[3 * j + 1]) +
                     body[i + 6] * static_cast<S>(link.R_BL[3 * j + 2]);
    }
    p[i] = body[9 + i] + body[i] * static_cast<S>(link.p_BL[0]) + body[i + 3] * static_cast<S>(link.p_BL[1]) +
           body[i + 6] * static_cast<S>(link.p_BL[2]);
  }
}

/// R (9, column-major) and p (3) of link number `link` in the world.
template <class Robot, class S>
inline void forward_kinematics(const S* q, int link, S* R, S* p) {
  Path<Robot, S> path;
  follow_path(q, link_info<Robot, S>(link).body, path);
  link_pose(link_info<Robot, S>(link), path, R, p);
}

/// x = R^T x.
template <class S>
inline void rotate_back(const S* R, S* x) {
  const S a = x[0], b = x[1], c = x[2];
  for (int i = 0; i < 3; ++i) x[i] = R[3 * i] * a + R[3 * i + 1] * b + R[3 * i + 2] * c;
}

/// The 6 x nv Jacobian of link number `link`, column-major, rows [linear; angular].
///
/// A column is the axis of its joint, moved to the reference point: linear + angular x (reference - p_WB).
/// Joints that share a coordinate (mimic) add up, each times its multiplier.
template <class Robot, class S>
inline void frame_jacobian(const S* q, int link, S* J, ReferenceFrame frame) {
  Path<Robot, S> path;
  follow_path(q, link_info<Robot, S>(link).body, path);
  S R[9], p[3];
  link_pose(link_info<Robot, S>(link), path, R, p);
  for (int k = 0; k < 6 * Robot::nv; ++k) J[k] = static_cast<S>(0.0);
  const S* axis = path.axes;
  for (int i = 0; i < path.size; ++i) {
    const auto& body = body_info<Robot, S>(path.body[i]);
    S lever[3];
    for (int k = 0; k < 3; ++k) {
      // Not `?:`: if S has expression templates, the two values have different types.
      if (frame == ReferenceFrame::world)
        lever[k] = -path.p_WB[3 * i + k];
      else
        lever[k] = p[k] - path.p_WB[3 * i + k];
    }
    for (int column = body.idx_v; column < body.idx_v + body.nv; ++column, axis += 6) {
      S twist[6];
      cross(axis + 3, lever, twist);
      for (int k = 0; k < 3; ++k) twist[k] = twist[k] + axis[k];
      for (int k = 3; k < 6; ++k) twist[k] = axis[k];
      if (frame == ReferenceFrame::local) {
        rotate_back(R, twist);
        rotate_back(R, twist + 3);
      }
      S* J_column = J + 6 * column;
      for (int k = 0; k < 6; ++k) J_column[k] = J_column[k] + static_cast<S>(body.multiplier) * twist[k];
    }
  }
}

}  // namespace featherline::kinematics
