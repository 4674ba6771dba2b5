// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/path_sines.hpp>
#include <featherline/prepare.hpp>

#include <utility>

/// Poses on the path to a link.
namespace featherline::kinematics {

/// The runs on the way to a body. On each the path goes from body first[i] to body last[i].
template <class Robot, class S>
struct Path {
  const Robot& robot;
  detail::Room<int, Sizes<Robot, S>::most_runs> first, last;  ///< the outermost run first
  int num_runs = 0;

  FEATHERLINE_INLINE explicit Path(const Robot& r) : robot(r), first(r.max_runs), last(r.max_runs) {}
  FEATHERLINE_INLINE void list(int body) {
    int n = 0;
    do {
      const RunInfo& run = robot.runs[body_info<S>(robot, body).run];
      first.data[n] = run.first;
      last.data[n++] = body;
      body = run.parent;
    } while (Sizes<Robot, S>::most_runs != 1 && body >= 0);
    num_runs = n;
  }
};

/// Sees each pose, with the place of its body on the path: axis() of joints with one axis, axes() of others.
struct KeepNothing {
  template <class S>
  FEATHERLINE_INLINE void axis(int, const Pose<S>&) const {}
  template <class S>
  FEATHERLINE_INLINE void axes(int, const Pose<S>&) const {}
};

/// Keeps what columns of the Jacobian need.
template <class S>
struct KeepAxes {
  Pose<S>* poses;  ///< may be null
  FEATHERLINE_INLINE void axis(int i, const Pose<S>& pose) const {
    if (poses == nullptr) return;
    poses[i].z = pose.z;
    poses[i].origin = pose.origin;
  }
  FEATHERLINE_INLINE void axes(int i, const Pose<S>& pose) const {
    if (poses != nullptr) poses[i] = pose;
  }
};

/// Both functions of a link share one copy of the steps where there are no vectors: such processors have little memory.
template <class Robot, class S>
FEATHERLINE_NOINLINE void follow_shared(const Robot& robot, int first, int last, const S* q, const S* sn,
                                        const S* cs, Pose<S>& pose, const KeepAxes<S>& keep) {
  code_begins<Robot, S>();
  Pose<S> in_registers = pose;  // which nothing else refers to
  robot.follow(first, last, q, sn, cs, in_registers, keep);
  pose = in_registers;
  code_ends<Robot, S>();
}

/// The same for a robot whose tables are read.
template <class Robot, class S, class Keep>
FEATHERLINE_INLINE Pose<S> follow_runs(const S* q, int body, Path<Robot, S>& path, const Keep& keep) {
  Pose<S> pose = Pose<S>::world();
  const Robot& robot = path.robot;
  if (robot.num_bodies == 0) return pose;
  path.list(body);
  PathAngles<Robot, S> angles(robot);
  int place = 0, room = angles.margin;
  for (int i = path.num_runs - 1; i >= 0; --i, room += angles.margin) {
    const int first = path.first.data[i], size = path.last.data[i] - first + 1;
    run_sincos(robot, q, first, size, angles.sn.data + place + room, angles.cs.data + place + room);
    place += size;
  }
  room = angles.margin;
  for (int i = path.num_runs - 1; i >= 0; --i, room += angles.margin) {
    const int first = path.first.data[i];
    const S *const sn = angles.sn.data + room, *const cs = angles.cs.data + room;
    if constexpr (has_vector_columns<S>) {
      Pose<S> in_registers = pose;  // which nothing else refers to
      robot.follow(first, path.last.data[i], q, sn, cs, in_registers, keep);
      pose = in_registers;
    } else {
      follow_shared(robot, first, path.last.data[i], q, sn, cs, pose, keep);
    }
  }
  return pose;
}

template <int run, class Robot, class S, class Keep>
FEATHERLINE_INLINE void follow_run(const StraightPath<Robot, S>& path, const S* q,
                                   const PathAngles<Robot, S>& angles, Pose<S>& pose, const Keep& keep) {
  if (!path.template has<run>()) return;
  constexpr int at = (1 + runs_before<Robot>(run)) * PathAngles<Robot, S>::margin;
  Robot::follow(Robot::runs[run].first, path.last[run], q, angles.sn.data + at, angles.cs.data + at, pose,
                keep);
}

template <class Robot, class S, class Keep, int... run>
FEATHERLINE_INLINE Pose<S> follow_straight(const StraightPath<Robot, S>& path, const S* q, const Keep& keep,
                                           std::integer_sequence<int, run...>) {
  PathAngles<Robot, S> angles(Robot{});
  (straight_sincos_of_run<run>(path, q, angles), ...);
  Pose<S> pose = Pose<S>::world();
  (follow_run<run>(path, q, angles, pose, keep), ...);
  return {pose.x, pose.y, pose.z,
          pose.origin};  // a copy: `pose` is in registers, which nothing else refers to
}

/// The pose of `body`, which is not the world.
template <class Robot, class S, class Keep>
FEATHERLINE_INLINE Pose<S> follow_path(const S* q, int body, Path<Robot, S>& path, const Keep& keep) {
  if constexpr (is_straight<Robot, S>) {
    return follow_straight(straight_path<Robot, S>(body), q, keep, EachRun<Robot, S>{});
  } else {
    return follow_runs(q, body, path, keep);
  }
}

}  // namespace featherline::kinematics
