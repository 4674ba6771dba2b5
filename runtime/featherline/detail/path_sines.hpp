// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/detail/walk_tables.hpp>
#include <featherline/sincos.hpp>

#include <utility>

/// Sines and cosines of the joints on the path to a link.
namespace featherline::kinematics {

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
    sincos_of_bodies(robot, q, first + k, sn + k, cs + k, std::make_integer_sequence<int, width>{});
    k += width;
    if (Size::path != detail::unknown && Size::path <= width) break;
  }
}

/// Sines and cosines of the joints of a run, from body b on.
template <int b, class Robot, class S>
FEATHERLINE_INLINE void straight_sincos(const Robot& robot, const S* q, int last, S* sn, S* cs) {
  using Size = Sizes<Robot, S>;
  constexpr int first = Robot::runs[run_of<Robot>(b)].first;
  if constexpr (!has_angle(Robot::template bodies<double>[b].motion)) {
    if constexpr (!ends_run<Robot>(b)) straight_sincos<b + 1>(robot, q, last, sn + 1, cs + 1);
  } else {
    if (b > first && last < b) return;
    constexpr bool is_short =
        b + Size::small >= Robot::num_bodies || run_of<Robot>(b + Size::small) != run_of<Robot>(b);
    constexpr int block = Size::small == 0 ? Size::block : is_short ? Size::small : Size::large;
    if constexpr (Size::small > 0)
      sincos_of_neighbours<block>(robot, q, b, sn, cs);
    else
      sincos_of_bodies(robot, q, b, sn, cs, std::make_integer_sequence<int, block>{});
    if constexpr (b + block < Robot::num_bodies) {
      if constexpr (run_of<Robot>(b + block) == run_of<Robot>(b))
        straight_sincos<b + block>(robot, q, last, sn + block, cs + block);
    }
  }
}

template <int run, class Robot, class S>
FEATHERLINE_INLINE void straight_sincos_of_run(const StraightPath<Robot, S>& path, const S* q,
                                               PathAngles<Robot, S>& angles) {
  if (!path.template has<run>()) return;
  constexpr int first = Robot::runs[run].first;
  constexpr int at = place_of<Robot>(first) + (1 + runs_before<Robot>(run)) * PathAngles<Robot, S>::margin;
  straight_sincos<first>(Robot{}, q, path.last[run], angles.sn.data + at, angles.cs.data + at);
}

}  // namespace featherline::kinematics
