#pragma once

#include "robot.hpp"

namespace featherline {

/// Whether a robot's quarter turns may be taken as exact.
///
/// Files write a quarter turn as 1.57079632679, five parts in 10^12 off. That hides zeros which make up to a third of
/// the operations. One answer holds for the whole robot: functions that differed in their angles would not undo each
/// other. It is found before anything is traced and does not depend on which functions are asked for.
///
/// The reference solver judges both trees at random states of high speed: poses, inverse dynamics, mass matrix,
/// forward dynamics where the mass matrix has an inverse, and first and second derivatives of both along random
/// directions.

/// Largest deviation at which turns are taken as exact: max |x - ref| / max(1, max |ref|), the worst of 32 states. The
/// promise to the user is 1e-10. Over 1000 states and entry by entry, hyq (3.7e-11 here) then deviates by 5.0e-11 at
/// most, ur5 on a floating base (4.7e-11) by 3.4e-11, talos_reduced (1.9e-11) by 1.5e-11; refused are anymal_c
/// (9.3e-11; 3.1e-10), baxter (7.7e-11 and more; 2.1e-10), ur5 on a fixed base (1.5e-10; 3.0e-10) and tiago (4.5e-9).
inline constexpr double allowed_deviation = 5e-11;

/// Whether `snapped`, `as_written` with exact quarter turns, gives the same results within what is allowed.
bool may_be_exact(const model::UserTree& snapped, const model::UserTree& as_written);

/// Whether the robot has quarter turns in decimals that may be taken as exact.
bool has_exact_turns(const Robot& robot);

}  // namespace featherline
