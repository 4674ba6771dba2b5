#pragma once

#include "robot.hpp"

namespace featherline {

/// Whether a robot's quarter turns may be taken as exact.
///
/// Files write a quarter turn as 1.57079632679, which is wrong by 5e-12. The error hides zeros, which costs up to a
/// third of the operations. One decision holds for the whole robot: functions with slightly different angles would
/// not be inverses of each other. It is made before anything is traced. It does not depend on the functions that the
/// user asks for.
///
/// The reference solver judges both trees at random states of high speed: poses, inverse dynamics, mass matrix,
/// forward dynamics where the mass matrix has an inverse, and first and second derivatives of both along random
/// directions.

/// Largest error (reference/expected.hpp) at which turns are taken as exact, the worst of 32 states. The promise to the
/// user is 1e-10. Measured:
///
///   robot                 deviation here      over 1000 states, entry by entry   exact
///   talos_reduced         1.9e-11             1.5e-11                            yes
///   hyq                   3.7e-11             5.0e-11                            yes
///   ur5, floating base    4.7e-11             3.4e-11                            yes
///   baxter                7.7e-11 and more    2.1e-10                            no
///   anymal_c              9.3e-11             3.1e-10                            no
///   ur5, fixed base       1.5e-10             3.0e-10                            no
///   tiago                 4.5e-9                                                 no
inline constexpr double allowed_deviation = 5e-11;

/// Whether the two robots give the same results within allowed_deviation. `snapped` is `as_written` with exact
/// quarter turns.
bool may_be_exact(const model::UserTree& snapped, const model::UserTree& as_written);

/// Whether the robot has quarter turns written in decimals that may be taken as exact.
bool may_snap_quarter_turns(const Robot& robot);

}  // namespace featherline
