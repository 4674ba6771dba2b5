// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/jacobian_columns.hpp>
#include <featherline/detail/link_walk.hpp>
#include <featherline/reference_frame.hpp>

#include <type_traits>

/// The part of emitted kinematics that is the same for every robot: the walk from the world to a link.
///
/// Bodies are in runs. The parent of a body is the one before it in the table, but for the first body of a run. Where
/// the tree branches, the child with the most bodies behind it continues the run. So a path has few runs, and most
/// robots' arms have one.
///
/// The emitted class `Robot` has these members:
///   nv, num_bodies
///   max_path      the number of bodies on the longest path, at least 1
///   max_runs      the largest number of runs on a path, at least 1
///   plain_angles  no joint has an offset or a multiplier
///   motions       bit k is set if there is a joint of Motion k
///   coupled       joints share coordinates, or have a multiplier
///   bodies[]      a BodyInfo for each body
///   runs[]        a RunInfo for each run
///   links[]       a LinkInfo for each link
///   follow()      the equations of the joints of a run; algorithms/kinematics/kinematics.hpp of the generator describes them
///
/// Where there are vectors, the walk of a robot with few runs is straight code of all runs, of which those on the path are
/// executed. With loops over the tables the Jacobian of panda took 656 instructions and 62 ns instead of 420 and 41.
///
/// Emitted code names the class, whose members are static. The generator, which verifies the walk, passes an object.
///
/// Rotations are 3 x 3, column-major. R_WB takes components in frame B to components in the world frame. p_WB is the
/// origin of B, measured from the origin of the world.
namespace featherline::kinematics {

/// p_WL.
template <class S>
FEATHERLINE_INLINE Column<S> link_origin(const Pose<S>& body, const LinkInfo<TableReal<S>>& link) {
  return body.origin + (static_cast<S>(link.p_BL[0]) * body.x + static_cast<S>(link.p_BL[1]) * body.y +
                        static_cast<S>(link.p_BL[2]) * body.z);
}

/// Column k of R_WL.
template <class S>
FEATHERLINE_INLINE Column<S> link_axis(const Pose<S>& body, const LinkInfo<TableReal<S>>& link, int k) {
  return static_cast<S>(link.R_BL[3 * k]) * body.x + static_cast<S>(link.R_BL[3 * k + 1]) * body.y +
         static_cast<S>(link.R_BL[3 * k + 2]) * body.z;
}

/// R (9, column-major) and p (3) of link number `number` in the world.
template <class Robot, class S>
inline void forward_kinematics(const S* FEATHERLINE_RESTRICT q, int number, S* FEATHERLINE_RESTRICT R,
                               S* FEATHERLINE_RESTRICT p, const Robot& robot = {}) {
  const LinkInfo<TableReal<S>>& link = link_info<S>(robot, number);
  using Keep = std::conditional_t<has_vector_columns<S>, KeepNothing, KeepAxes<S>>;
  Path<Robot, S> path(robot);
  Pose<S> pose = Pose<S>::world();
  if (link.body >= 0) pose = follow_path(q, link.body, path, Keep{});
  if (!link.at_body)
    pose = {link_axis(pose, link, 0), link_axis(pose, link, 1), link_axis(pose, link, 2),
            link_origin(pose, link)};
  store_column_before_others(pose.x, R);
  store_column_before_others(pose.y, R + 3);
  store_column(pose.z, R + 6);
  store_column(pose.origin, p);
}

/// R x.
template <class S>
FEATHERLINE_INLINE Column<S> turned(const Pose<S>& R, const Column<S>& x) {
  return S(x[0]) * R.x + S(x[1]) * R.y + S(x[2]) * R.z;
}
template <class S>
FEATHERLINE_INLINE Pose<S> transposed(const Pose<S>& R) {
  return {column<S>(R.x[0], R.y[0], R.z[0]), column<S>(R.x[1], R.y[1], R.z[1]),
          column<S>(R.x[2], R.y[2], R.z[2]), R.origin};
}

/// Poses and points as they are seen from local axes at `reference`; `back` is R^T of these axes. A body of one axis
/// has no x and y.
template <class S>
FEATHERLINE_INLINE void see(const Pose<S>& back, const Column<S>& reference, bool one_axis, Pose<S>& pose) {
  if (!one_axis) {
    pose.x = turned(back, pose.x);
    pose.y = turned(back, pose.y);
  }
  pose.z = turned(back, pose.z);
  pose.origin = turned(back, Column<S>(pose.origin - reference));
}

/// All poses of a path, as they are seen from the link.
template <class Robot, class S>
FEATHERLINE_INLINE void see_path(const Path<Robot, S>& path, const Pose<S>& last,
                                 const LinkInfo<TableReal<S>>& link, const Column<S>& reference,
                                 Pose<S>* pose) {
  const Pose<S> back = transposed<S>(
      {link_axis(last, link, 0), link_axis(last, link, 1), link_axis(last, link, 2), reference});
  for (int i = path.num_runs - 1; i >= 0; --i) {
    for (int b = path.first.data[i]; b <= path.last.data[i]; ++b)
      see(back, reference, has_one_axis(path.robot, body_info<S>(path.robot, b).motion), *pose++);
  }
}

/// The 6 x nv Jacobian of link number `number`, column-major, rows [linear; angular].
///
/// Joints that share a coordinate (mimic) add up, each times its multiplier.
template <class Robot, class S>
inline void frame_jacobian(const S* FEATHERLINE_RESTRICT q, int number, S* FEATHERLINE_RESTRICT J,
                           ReferenceFrame frame, const Robot& robot = {}) {
  const LinkInfo<TableReal<S>>& link = link_info<S>(robot, number);
  if (robot.num_bodies == 0 || link.body < 0) return clear_jacobian<0>(robot, J);
  Path<Robot, S> path(robot);
  detail::Room<Pose<S>, Sizes<Robot, S>::path> poses(robot.max_path);
  const Pose<S> last = follow_path(q, link.body, path, KeepAxes<S>{poses.data});
  // Not before the walk, which the stores would delay: 52 ns instead of 44.
  clear_jacobian<columns_of_all_paths<Robot, S>()>(robot, J);
  Column<S> reference = column<S>(S(0.0), S(0.0), S(0.0));
  if (frame != ReferenceFrame::world) reference = link.at_body ? last.origin : link_origin(last, link);
  if (frame == ReferenceFrame::local) {
    if (is_straight<Robot, S>) path.list(link.body);
    see_path(path, last, link, reference, poses.data);
    reference = column<S>(S(0.0), S(0.0), S(0.0));
  }
  if constexpr (is_straight<Robot, S>) {
    put_straight(straight_path<Robot, S>(link.body), poses.data, reference, J, EachRun<Robot, S>{});
  } else {
    const Pose<S>* pose = poses.data;
    for (int i = path.num_runs - 1; i >= 0; --i) {
      for (int b = path.first.data[i]; b <= path.last.data[i]; ++b, ++pose)
        put_body(robot, b, *pose, reference, J);
    }
  }
}

}  // namespace featherline::kinematics
