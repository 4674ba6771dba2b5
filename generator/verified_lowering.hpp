#pragma once

#include "lowering.hpp"

#include <vector>

namespace featherline {

/// What is printed: programs, and the tree whose frames the kinematics and the links' placements are in.
struct LoweredRobot {
  std::vector<emit::FunctionRequest>
      functions;                            ///< one for each form asked for, in the order of the registry
  std::vector<passes::Program> pose_steps;  ///< of kinematics; empty where no function needs them
  model::Tree kinematic_tree;
};

/// Lowers every function that is asked for, on the tree `traced`, and judges it by the reference solver (verify/verify.hpp) unless
/// EmitOptions::verify is off. One that disagrees is traced again in plain frames, formulation by formulation. Throws
/// InputError where none agrees: with the error found and the joints that cause it.
LoweredRobot lower_verified(const Robot& robot, const model::Tree& traced, const EmitOptions& options,
                            const Observer& observer);

}  // namespace featherline
