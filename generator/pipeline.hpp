#pragma once

#include "emit/emit.hpp"
#include "robot.hpp"
#include "selection/function_plan.hpp"
#include "selection/verified.hpp"
#include "support/observer.hpp"

#include <string>
#include <vector>

/// From a URDF file to the text of the emitted files, stage by stage. Nothing here writes to a disk or to a terminal.
namespace featherline {

/// Names of all stages in order: what --dump-after takes.
std::vector<std::string> stage_names();

/// URDF -> Robot. Warnings go to `findings`; throws InputError when there are errors among them.
Robot read_robot(const std::string& urdf, const Options& options, Diagnostics& findings,
                 const Observer& observer = {});

// Robot -> Plan is make_plan in selection/function_plan.hpp.

/// Robot, Plan -> kernels that agree with the reference solver. Throws InputError if a function disagrees.
LoweredRobot lower_robot(const Robot& robot, const Plan& plan, const Options& options,
                         const Observer& observer = {});

struct Emission {
  std::string name;  ///< namespace and stem of the file names
  std::vector<emit::File> files;
  std::vector<emit::FunctionFacts> facts;  ///< one per function
  int image_bytes = 0;                     ///< estimate of all of them with what they share
  bool turns_as_written = false;  ///< the robot has quarter turns in decimals that may not be taken as exact
};

/// Kernels -> text. `name` is the namespace and the stem of the file names, as asked for.
Emission emit_lowered(const Robot& robot, const std::string& name, LoweredRobot lowered,
                      const Options& options, const Observer& observer = {});
/// Robot, Plan -> kernels -> text.
Emission emit_robot(const Robot& robot, const Plan& plan, const Options& options,
                    const Observer& observer = {});
/// Plans, lowers and emits. For callers that ignore the findings of the plan.
Emission emit_robot(const Robot& robot, const Options& options, const Observer& observer = {});

}  // namespace featherline
