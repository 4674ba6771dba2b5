// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/walk_tables.hpp>

#include <utility>

/// Columns of the Jacobian of a link, from the poses on the path to it.
namespace featherline::kinematics {

/// Writes [linear; angular] into a column of the Jacobian. The column behind it is written later if `before_others`.
template <bool before_others, class Robot, class S>
FEATHERLINE_INLINE void put_column(const Robot& robot, const BodyInfo<TableReal<S>>& body,
                                   const Column<S>& linear, const Column<S>& angular, S* J) {
  if (robot.coupled) {
    const S multiplier = static_cast<S>(body.multiplier);
    for (int row = 0; row < 3; ++row) {
      J[row] = J[row] + multiplier * linear[row];
      J[row + 3] = J[row + 3] + multiplier * angular[row];
    }
  } else {
    store_column_before_others(linear, J);
    if constexpr (before_others)
      store_column_before_others(angular, J + 3);
    else
      store_column(angular, J + 3);
  }
}

/// The column of one axis, at unit speed. `e` is the axis and `lever` the way from the body's origin to the reference
/// point, both as they are viewed.
template <bool before_others, class Robot, class S>
FEATHERLINE_INLINE void put_axis(const Robot& robot, const BodyInfo<TableReal<S>>& body, bool turns,
                                 const Column<S>& e, const Column<S>& lever, S* J) {
  if (has_vector_columns<S> && !before_others && !turns && !robot.coupled)
    return store_column(e, J);  // J is cleared
  if (!turns) return put_column<before_others>(robot, body, e, column<S>(S(0.0), S(0.0), S(0.0)), J);
  if (is(robot, body.motion, Motion::screw))
    return put_column<before_others>(robot, body,
                                     Column<S>(cross<S>(e, lever) + static_cast<S>(body.pitch) * e), e, J);
  put_column<before_others>(robot, body, cross<S>(e, lever), e, J);
}

/// The columns of a joint with several axes. Of `seen`, the origin is the lever.
template <Motion motion, class Robot, class S, int... k>
FEATHERLINE_INLINE void put_all_axes(const Robot& robot, const BodyInfo<TableReal<S>>& body,
                                     const Pose<S>& seen, S* J, std::integer_sequence<int, k...>) {
  (put_axis<k + 1 < num_axes(motion)>(robot, body, axis_of(motion, k) >= 3, seen[axis_of(motion, k) % 3],
                                      seen.origin, J + 6 * k),
   ...);
}
template <Motion motion, class Robot, class S>
FEATHERLINE_INLINE void put_all_axes(const Robot& robot, const BodyInfo<TableReal<S>>& body,
                                     const Pose<S>& seen, S* J) {
  put_all_axes<motion>(robot, body, seen, J, std::make_integer_sequence<int, num_axes(motion)>{});
}

/// In a loop, or code for each column where there are vectors: the loop of a floating base took as long as all the rest
/// of the Jacobian of a leg. Of `seen`, the origin is the lever.
template <class Robot, class S>
FEATHERLINE_INLINE void put_axes(const Robot& robot, const BodyInfo<TableReal<S>>& body, const Pose<S>& seen,
                                 S* J) {
  if constexpr (has_vector_columns<S>) {
    if (is(robot, body.motion, Motion::floating)) put_all_axes<Motion::floating>(robot, body, seen, J);
    if (is(robot, body.motion, Motion::planar)) put_all_axes<Motion::planar>(robot, body, seen, J);
    if (is(robot, body.motion, Motion::spherical)) put_all_axes<Motion::spherical>(robot, body, seen, J);
  } else {
    for (int k = 0; k < num_axes(body.motion); ++k) {
      const int axis = axis_of(body.motion, k);
      put_axis<false>(robot, body, axis >= 3, seen[axis % 3], seen.origin, J + 6 * k);
    }
  }
}

#if defined(__GNUC__)
template <class S, int... k>
FEATHERLINE_INLINE void store_at_each([[maybe_unused]] const Lanes<S, 4>& x, [[maybe_unused]] S* to,
                                      std::integer_sequence<int, k...>) {
  (x.store(to + 4 * k), ...);
}

/// Sets N numbers to zero by stores that wait for nothing.
template <int N, class S>
FEATHERLINE_INLINE void store_zeros(const Lanes<S, 4>& zeros, S* x) {
  constexpr int block = 32;
  if constexpr (N > block) {
    store_at_each(zeros, x, std::make_integer_sequence<int, block / 4>{});
    S* rest = x + block;
    __asm__("" : "+r"(rest));  // or compilers make a call of memset() of it
    store_zeros<N - block>(zeros, rest);
  } else {
    store_at_each(zeros, x, std::make_integer_sequence<int, N / 4>{});
    for (int k = N / 4 * 4; k < N; ++k) x[k] = S(0.0);
  }
}
#endif

/// Sets a Jacobian to zero, from column `begin` on. A call of memset() took 17 of the 56 ns of a leg of hyq: nothing else ran beside it.
template <int begin, class Robot, class S>
FEATHERLINE_INLINE void clear_jacobian(const Robot& robot, S* J) {
  J += 6 * begin;
  if constexpr (!detail::is_known_tree<Robot>) {
    for (int k = 0; k < 6 * (robot.nv - begin); ++k) J[k] = S(0);
  } else {
    constexpr int size = 6 * (Robot::nv - begin);
#if defined(__GNUC__)
    if constexpr (has_vector_columns<S> && size <= 256)
      return store_zeros<size>(column<S>(S(0.0), S(0.0), S(0.0)), J);
#endif
    if constexpr (size > 0) clear<size>(J);
  }
}

/// The number of columns in front that belong to a floating base of all links that move: nobody clears them first.
template <class Robot, class S>
constexpr int columns_of_all_paths() {
  if constexpr (is_straight<Robot, S>) {
    const auto& base = Robot::template bodies<double>[0];
    if (has_one_root<Robot>() && !Robot::coupled && base.motion == Motion::floating && base.idx_v == 0)
      return 6;
  }
  return 0;
}

/// The columns of a body's joint.
template <class Robot, class S>
FEATHERLINE_INLINE void put_body(const Robot& robot, int b, const Pose<S>& pose, const Column<S>& reference,
                                 S* J) {
  const auto& body = body_info<S>(robot, b);
  S* own = J + 6 * body.idx_v;
  const Column<S> lever = reference - pose.origin;
  if (has_one_axis(robot, body.motion))
    put_axis<false>(robot, body, !is(robot, body.motion, Motion::slide), pose.z, lever, own);
  else
    put_axes(robot, body, {pose.x, pose.y, pose.z, lever}, own);
}

/// The columns of bodies b to `last` of a run in straight code.
template <int b, class Robot, class S>
FEATHERLINE_INLINE void put_bodies(const Robot& robot, int last, const Pose<S>* poses,
                                   const Column<S>& reference, S* J) {
  constexpr bool is_end = ends_run<Robot>(b);
  constexpr int next = is_end ? b : b + 1;
  constexpr const auto& body = Robot::template bodies<double>[b];
  const Pose<S>& pose = poses[place_of<Robot>(b)];
  if constexpr (!Robot::coupled && body.motion == Motion::turn &&
                Robot::template bodies<double>[next].idx_v == body.idx_v + 1) {
    S* own = J + 6 * body.idx_v;
    const Column<S> z = pose.z;
    store_column_before_others(cross<S>(z, Column<S>(reference - pose.origin)), own);
    if (b == last) return store_column(z, own + 3);
    store_column_before_others(z, own + 3);
  } else {
    put_body(robot, b, pose, reference, J);
    if (is_end || b == last) return;
  }
  if constexpr (!is_end) put_bodies<b + 1>(robot, last, poses, reference, J);
}

template <int run, class Robot, class S>
FEATHERLINE_INLINE void put_run(const StraightPath<Robot, S>& path, const Pose<S>* poses,
                                const Column<S>& reference, S* J) {
  if (path.template has<run>())
    put_bodies<Robot::runs[run].first>(Robot{}, path.last[run], poses, reference, J);
}
template <class Robot, class S, int... run>
FEATHERLINE_INLINE void put_straight(const StraightPath<Robot, S>& path, const Pose<S>* poses,
                                     const Column<S>& reference, S* J, std::integer_sequence<int, run...>) {
  (put_run<run>(path, poses, reference, J), ...);
}

}  // namespace featherline::kinematics
