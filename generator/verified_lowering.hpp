#pragma once

#include "lowering.hpp"

#include <vector>

namespace featherline {

/// What is printed: programs, and the tree whose frames the kinematics and the links' placements are in.
struct LoweredRobot {
  std::vector<emit::FunctionRequest>
      functions;                        ///< one for each form asked for, in the order of the catalogue
  std::vector<ir::Program> pose_steps;  ///< of kinematics; empty where no function needs them
  model::CanonicalTree kinematic_tree;
  bool exact_turns = false;  ///< traced with exact quarter turns that the file writes in decimals
};

/// Lowers every function that is asked for, and judges it by the reference solver (verify/verify.hpp) unless
/// EmitOptions::verify is off. Where one disagrees on a robot with exact quarter turns, all are lowered again with the
/// angles as written: functions never differ in their robot. One that disagrees then is traced again in plain frames,
/// formulation by formulation. Throws InputError where none agrees: with the error found and the joints that cause it.
LoweredRobot lower_verified(const Robot& robot, const EmitOptions& options, const Observer& observer);

}  // namespace featherline
