// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/clear.hpp>
#include <featherline/detail/pose.hpp>
#include <featherline/detail/tree_storage.hpp>
#include <featherline/prepare.hpp>
#include <featherline/reference_frame.hpp>
#include <featherline/sincos.hpp>

#include <type_traits>
#include <utility>

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
/// Emitted code names the class, whose members are static. The generator, which verifies the walk, passes an object.
///
/// Rotations are 3 x 3, column-major. R_WB takes components in frame B to components in the world frame. p_WB is the
/// origin of B, measured from the origin of the world.
namespace featherline::kinematics {

/// The type of the numbers in the tables. It is float for functions of float, so that they need no conversion and no
/// double arithmetic.
template <class S>
using TableReal = std::conditional_t<std::is_same_v<S, float>, float, double>;

/// How a body moves, in the axes of its frame. A joint of one axis has it along z.
enum class Motion { turn, slide, screw, planar, spherical, floating };

/// Whether the joint needs the sine and cosine of a coordinate.
constexpr bool has_angle(Motion motion) {
  return motion == Motion::turn || motion == Motion::screw || motion == Motion::planar;
}

constexpr int num_axes(Motion motion) {
  return motion == Motion::floating ? 6 : motion == Motion::planar || motion == Motion::spherical ? 3 : 1;
}

/// Degree of freedom k: 0, 1, 2 slides along x, y, z; 3, 4, 5 turns about them.
constexpr int axis_of(Motion motion, int k) {
  switch (motion) {
    case Motion::slide:
      return 2;
    case Motion::planar:
      return k == 2 ? 5 : k;
    case Motion::spherical:
      return 3 + k;
    case Motion::floating:
      return k;
    default:
      return 5;
  }
}

/// Whether the robot has such joints, and whether a joint of the robot is one.
template <class Robot>
FEATHERLINE_INLINE bool has(const Robot& robot, Motion motion) {
  return (robot.motions >> static_cast<int>(motion) & 1) != 0;
}
template <class Robot>
FEATHERLINE_INLINE bool is(const Robot& robot, Motion own, Motion motion) {
  return has(robot, motion) && (robot.motions == 1U << static_cast<int>(motion) || own == motion);
}
template <class Robot>
FEATHERLINE_INLINE bool has_one_axis(const Robot& robot, Motion motion) {
  const bool never = !has(robot, Motion::turn) && !has(robot, Motion::slide) && !has(robot, Motion::screw);
  return !never && !is(robot, motion, Motion::planar) && !is(robot, motion, Motion::spherical) &&
         !is(robot, motion, Motion::floating);
}

/// One moving body and its joint.
template <class Real>
struct BodyInfo {
  int run;
  int idx_v;
  Motion motion;
  int angle_entry;    ///< the coordinate whose sine and cosine the joint needs, or 0
  Real angle_offset;  ///< is added to this coordinate, times the multiplier
  Real multiplier;    ///< of a mimic joint, otherwise 1
  Real pitch;         ///< of a screw, otherwise 0
};

struct RunInfo {
  int first;   ///< body
  int parent;  ///< the body that the run hangs on; -1: the world
};

/// A link's frame L in the frame B of the body that carries it.
template <class Real>
struct LinkInfo {
  int body;      ///< -1: welded to the world
  bool at_body;  ///< R_BL = 1 and p_BL = 0
  Real R_BL[9];
  Real p_BL[3];
};

template <class S, class Robot>
FEATHERLINE_INLINE const BodyInfo<TableReal<S>>& body_info(const Robot& robot, int body) {
  if constexpr (detail::is_known_tree<Robot>) {
    return Robot::template bodies<TableReal<S>>[body];
  } else {
    return robot.bodies[body];
  }
}
template <class S, class Robot>
FEATHERLINE_INLINE const LinkInfo<TableReal<S>>& link_info(const Robot& robot, int link) {
  if constexpr (detail::is_known_tree<Robot>) {
    return Robot::template links<TableReal<S>>[link];
  } else {
    return robot.links[link];
  }
}

/// Where the coordinates of a run that need sines are neighbours in q, so that vectors of them are read at once.
template <class Robot, class Real>
struct AngleRows {
  static constexpr int padding = 2 * sincos_width<Real>;  ///< the most angles that are read at once

  int start[Robot::num_bodies + 1] =
      {};  ///< the entry of the angle of a body, or what it would be if it had one
  Real offset[Robot::num_bodies + 2 * padding] = {};  ///< of the angle of body b: entry padding + b
  int longest_run = 1;
  int positions = Robot::nv;  ///< q has at least so many entries
  bool are_neighbours = Robot::num_bodies > 0;

  constexpr AngleRows() {
    int first = 0;
    bool is_started = false;
    for (int b = 0; b < Robot::num_bodies; ++b) {
      const auto& body = Robot::template bodies<Real>[b];
      if (body.run != Robot::template bodies<Real>[first].run) first = b, is_started = false;
      if (b - first >= longest_run) longest_run = b - first + 1;
      if (is_started) start[b] = start[b - 1] + 1;
      if (!has_angle(body.motion)) continue;
      offset[padding + b] = body.angle_offset;
      if (body.angle_entry >= positions) positions = body.angle_entry + 1;
      const bool fits = is_started ? start[b] == body.angle_entry : body.angle_entry >= b - first;
      if (!fits || body.multiplier != Real(1.0)) are_neighbours = false;
      for (int k = first; k <= b && !is_started; ++k) start[k] = body.angle_entry - (b - k);
      is_started = true;
    }
  }
};

template <class Robot, class Real>
inline constexpr AngleRows<Robot, Real> angle_rows{};

/// Sizes of arrays: the longest path, the most runs of one, and the number of angles in a block that sincos() computes
/// at once. Registers decide the last. The rest of a block is computed, too.
template <class Robot, class S>
struct Sizes {
  static constexpr bool is_known = detail::is_known_tree<Robot>;
  static constexpr int paths() {
    if constexpr (is_known) {
      return Robot::max_path;
    } else {
      return detail::unknown;
    }
  }
  static constexpr int runs() {
    if constexpr (is_known) {
      return Robot::max_runs;
    } else {
      return detail::unknown;
    }
  }
  /// The number of angles of a block of neighbours, of which large ones are two vectors; 0: they are not neighbours.
  static constexpr int neighbours(int vectors) {
    if constexpr (is_known && (sincos_width<S>) > 1) {
      constexpr const auto& rows = angle_rows<Robot, TableReal<S>>;
      const int most = rows.longest_run < rows.positions ? rows.longest_run : rows.positions;
      const int angles = vectors * sincos_width<S>;
      if (!rows.are_neighbours) return 0;
      return angles < most ? angles : most;
    } else {
      return 0;
    }
  }
  static constexpr int path = paths(), most_runs = runs();
  static constexpr int block =
      path == detail::unknown || sincos_width<S> < path ? sincos_width<S> : detail::power_of_two_above(path);
  static constexpr int small = neighbours(1), large = neighbours(2);
  /// Before and behind the sines of a run: blocks write there.
  static constexpr int margin = block == 1 ? 0 : block < large ? large : block;
};

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

/// Sines and cosines of the joints on a path, with room for the rests of blocks.
template <class Robot, class S>
struct PathAngles {
  using Size = Sizes<Robot, S>;
  static constexpr int margin = Size::margin;
  detail::Room<S,
               Size::path == detail::unknown ? detail::unknown : Size::path + (Size::most_runs + 1) * margin>
      sn, cs;

  FEATHERLINE_INLINE explicit PathAngles(const Robot& robot)
      : sn(robot.max_path + (robot.max_runs + 1) * margin),
        cs(robot.max_path + (robot.max_runs + 1) * margin) {}
};

/// The angle of the joint; of any number if it has none, or if there is no such body.
template <class Robot, class S>
FEATHERLINE_INLINE S joint_angle(const Robot& robot, const S* q, int body) {
  const auto& info = body_info<S>(robot, body < robot.num_bodies ? body : 0);
  const S& x = q[info.angle_entry];
  if (robot.plain_angles)
    return x;
  else
    return S(x * static_cast<S>(info.multiplier) + static_cast<S>(info.angle_offset));
}

template <class Robot, class S, int... lane>
FEATHERLINE_INLINE void sincos_of_bodies(const Robot& robot, const S* q, int first, S* sn, S* cs,
                                         std::integer_sequence<int, lane...>) {
  constexpr int width = sizeof...(lane);
  S angle[width];
  // Not one number after the other: a vector that is read waits for all of them to be written.
  if constexpr (width > 1)
    Lanes<S, width>{joint_angle(robot, q, first + lane)...}.store(angle);
  else
    angle[0] = joint_angle(robot, q, first);
  sincos<width>(angle, sn, cs);
}

/// Of N bodies from `body` on. Where q ends sooner, the block begins with earlier coordinates, and computes what
/// earlier bodies of the run have once more.
template <int N, class Robot, class S>
FEATHERLINE_INLINE void sincos_of_neighbours(const Robot& robot, const S* q, int body, S* sn, S* cs) {
  constexpr const auto& rows = angle_rows<Robot, TableReal<S>>;
  const int start = rows.start[body];
  const int back = start + N > rows.positions ? start + N - rows.positions : 0;
  q += start - back;
  if (robot.plain_angles) return sincos<N>(q, sn - back, cs - back);
  sincos_of_sums<N>(q, rows.offset + (rows.padding + body - back), sn - back, cs - back);
}

/// Sine and cosine of body first + i of the run are entry i.
template <class Robot, class S>
FEATHERLINE_INLINE void run_sincos(const Robot& robot, const S* q, int first, int size, S* sn, S* cs) {
  using Size = Sizes<Robot, S>;
  constexpr int width = Size::block;
  for (int k = 0; k < size;) {
    const Motion motion = body_info<S>(robot, first + k).motion;
    if ((width == 1 || k + 1 == size) && !has_angle(motion)) {
      ++k;
      continue;
    }
    if constexpr (Size::small > 0) {
      if (Size::small < Size::large && size - k > Size::small) {
        sincos_of_neighbours<Size::large>(robot, q, first + k, sn + k, cs + k);
        k += Size::large;
      } else {
        sincos_of_neighbours<Size::small>(robot, q, first + k, sn + k, cs + k);
        k += Size::small;
      }
    } else {
      sincos_of_bodies(robot, q, first + k, sn + k, cs + k, std::make_integer_sequence<int, width>{});
      k += width;
    }
    constexpr int most = Size::small > 0 ? Size::large : width;
    if (Size::path != detail::unknown && Size::path <= most) break;
  }
}

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

/// The pose of `body`.
template <class Robot, class S, class Keep>
FEATHERLINE_INLINE Pose<S> follow_path(const S* q, int body, Path<Robot, S>& path, const Keep& keep) {
  Pose<S> pose = Pose<S>::world();
  const Robot& robot = path.robot;
  if (robot.num_bodies > 0) {
    if (body < 0) return pose;
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
  }
  return pose;
}

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
  Pose<S> pose = follow_path(q, link.body, path, Keep{});
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

/// Writes [linear; angular] into a column of the Jacobian.
template <class Robot, class S>
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
    store_column(angular, J + 3);
  }
}

/// The column of one axis, at unit speed. `e` is the axis and `lever` the way from the body's origin to the reference
/// point, both as they are viewed.
template <class Robot, class S>
FEATHERLINE_INLINE void put_axis(const Robot& robot, const BodyInfo<TableReal<S>>& body, bool turns,
                                 const Column<S>& e, const Column<S>& lever, S* J) {
  if (has_vector_columns<S> && !turns && !robot.coupled) return store_column(e, J);  // J is cleared
  if (!turns) return put_column(robot, body, e, column<S>(S(0.0), S(0.0), S(0.0)), J);
  if (is(robot, body.motion, Motion::screw))
    return put_column(robot, body, Column<S>(cross<S>(e, lever) + static_cast<S>(body.pitch) * e), e, J);
  put_column(robot, body, cross<S>(e, lever), e, J);
}

/// The columns of a joint with several axes. Of `seen`, the origin is the lever.
template <Motion motion, class Robot, class S, int... k>
FEATHERLINE_INLINE void put_all_axes(const Robot& robot, const BodyInfo<TableReal<S>>& body,
                                     const Pose<S>& seen, S* J, std::integer_sequence<int, k...>) {
  (put_axis(robot, body, axis_of(motion, k) >= 3, seen[axis_of(motion, k) % 3], seen.origin, J + 6 * k), ...);
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
      put_axis(robot, body, axis >= 3, seen[axis % 3], seen.origin, J + 6 * k);
    }
  }
}

/// Whether the joints of bodies that follow each other in a run own columns that do, too.
template <class Robot>
constexpr bool columns_follow() {
  if constexpr (detail::is_known_tree<Robot>) {
    for (int b = 1; b < Robot::num_bodies; ++b) {
      const auto &body = Robot::template bodies<double>[b], &above = Robot::template bodies<double>[b - 1];
      if (body.run == above.run && body.idx_v != above.idx_v + num_axes(above.motion)) return false;
    }
    return !Robot::coupled;
  }
  return false;
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

/// Sets a Jacobian to zero. A call of memset() took 17 of the 56 ns of a leg of hyq: nothing else ran beside it.
template <class Robot, class S>
FEATHERLINE_INLINE void clear_jacobian(const Robot& robot, S* J) {
  if constexpr (!detail::is_known_tree<Robot>) {
    for (int k = 0; k < 6 * robot.nv; ++k) J[k] = S(0);
  } else {
    constexpr int size = 6 * Robot::nv;
#if defined(__GNUC__)
    if constexpr (has_vector_columns<S> && size <= 256)
      return store_zeros<size>(column<S>(S(0.0), S(0.0), S(0.0)), J);
#endif
    clear<size>(J);
  }
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
  if (robot.num_bodies == 0 || link.body < 0) return clear_jacobian(robot, J);
  Path<Robot, S> path(robot);
  detail::Room<Pose<S>, Sizes<Robot, S>::path> poses(robot.max_path);
  const Pose<S> last = follow_path(q, link.body, path, KeepAxes<S>{poses.data});
  clear_jacobian(robot, J);  // here: stores that come before the walk delay it, 52 ns instead of 44
  Column<S> reference = column<S>(S(0.0), S(0.0), S(0.0));
  if (frame != ReferenceFrame::world) reference = link.at_body ? last.origin : link_origin(last, link);
  if (frame == ReferenceFrame::local) {
    see_path(path, last, link, reference, poses.data);
    reference = column<S>(S(0.0), S(0.0), S(0.0));
  }
  const Pose<S>* pose = poses.data;
  constexpr bool in_order = columns_follow<Robot>() && has_vector_columns<S>;
  for (int i = path.num_runs - 1; i >= 0; --i) {
    const int end = path.last.data[i];
    int b = path.first.data[i];
    S* own = J + 6 * body_info<S>(robot, b).idx_v;
    for (; b <= end; ++b, ++pose) {
      const auto& body = body_info<S>(robot, b);
      const Column<S> lever = reference - pose->origin;
      if (!in_order) own = J + 6 * body.idx_v;
      if (in_order && b < end && is(robot, body.motion, Motion::turn)) {
        store_column_before_others(cross<S>(pose->z, lever), own);
        store_column_before_others(pose->z, own + 3);
      } else if (has_one_axis(robot, body.motion)) {
        put_axis(robot, body, !is(robot, body.motion, Motion::slide), pose->z, lever, own);
      } else {
        put_axes(robot, body, {pose->x, pose->y, pose->z, lever}, own);
      }
      own += 6 * num_axes(body.motion);
    }
  }
}

}  // namespace featherline::kinematics
