// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/detail/pose.hpp>
#include <featherline/detail/tree_storage.hpp>

#include <type_traits>
#include <utility>

/// The tables of a robot that featherline/kinematics.hpp walks, and what follows from them.
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

/// Straight code takes long to compile without optimisation: with g++ 12 and sanitizers 29 s for a quadruped, loops 6 s.
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
inline constexpr bool allows_straight_code = true;
#else
inline constexpr bool allows_straight_code = false;
#endif

/// The number of runs of a robot whose walk is straight code; 0: its walk is a loop over the tables.
template <class Robot, class S>
constexpr int straight_runs() {
  if constexpr (allows_straight_code && detail::is_known_tree<Robot> && has_vector_columns<S>) {
    constexpr int most = 16;
    const int count =
        Robot::num_bodies == 0 ? 0 : Robot::template bodies<double>[Robot::num_bodies - 1].run + 1;
    return count <= most ? count : 0;
  }
  return 0;
}
template <class Robot, class S>
inline constexpr bool is_straight = straight_runs<Robot, S>() > 0;
template <class Robot, class S>
using EachRun = std::make_integer_sequence<int, straight_runs<Robot, S>()>;

template <class Robot>
constexpr int run_of(int body) {
  return Robot::template bodies<double>[body].run;
}
template <class Robot>
constexpr bool ends_run(int body) {
  return body + 1 == Robot::num_bodies || run_of<Robot>(body + 1) != run_of<Robot>(body);
}
/// How many bodies, or runs, are before it on a path.
template <class Robot>
constexpr int place_of(int body) {
  const RunInfo& run = Robot::runs[run_of<Robot>(body)];
  return body - run.first + (run.parent < 0 ? 0 : 1 + place_of<Robot>(run.parent));
}
template <class Robot>
constexpr int runs_before(int run) {
  const int parent = Robot::runs[run].parent;
  return parent < 0 ? 0 : 1 + runs_before<Robot>(run_of<Robot>(parent));
}
/// Whether all paths begin in run 0.
template <class Robot>
constexpr bool has_one_root() {
  for (int run = 1; run <= run_of<Robot>(Robot::num_bodies - 1); ++run) {
    if (Robot::runs[run].parent < 0) return false;
  }
  return true;
}

/// Of each run on the path to a body the last body on it, otherwise -1.
template <class Robot, int num_runs>
struct LastBodies {
  short to[Robot::num_bodies][num_runs] = {};
  constexpr LastBodies() {
    for (int b = 0; b < Robot::num_bodies; ++b) {
      for (short& last : to[b]) last = -1;
      for (int c = b; c >= 0; c = Robot::runs[run_of<Robot>(c)].parent)
        to[b][run_of<Robot>(c)] = static_cast<short>(c);
    }
  }
};
template <class Robot, int num_runs>
inline constexpr LastBodies<Robot, num_runs> last_bodies{};

/// The way to a body in straight code.
template <class Robot, class S>
struct StraightPath {
  const short* last;  ///< by run

  template <int run>
  FEATHERLINE_INLINE bool has() const {
    return (run == 0 && has_one_root<Robot>()) || last[run] >= 0;
  }
};

template <class Robot, class S>
FEATHERLINE_INLINE StraightPath<Robot, S> straight_path(int body) {
  return {last_bodies<Robot, straight_runs<Robot, S>()>.to[body]};
}

}  // namespace featherline::kinematics
