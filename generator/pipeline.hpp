#pragma once

#include "emit/emit.hpp"
#include "reference/expected.hpp"
#include "robot.hpp"
#include "selection/choose.hpp"
#include "selection/function_plan.hpp"
#include "support/observer.hpp"

#include <optional>
#include <string>
#include <vector>

/// From a robot's file to the text of the emitted files, stage by stage. Nothing here writes to a disk
/// or to a terminal.
namespace featherline {

/// Names of all stages in order: what --dump-after takes.
std::vector<std::string> stage_names();

/// The robot's file -> Robot. Warnings go to `findings`; throws InputError when there are
/// errors among them.
Robot read_robot(const std::string& file, const Options& options, Diagnostics& findings,
                 const Observer& observer = {});

/// Robot, Options -> Plan of the functions that the user asked for. If a function does not exist for this robot, it is
/// an error if the user named it, and is left out with a warning if it is part of a group. Throws InputError on errors.
/// Throws UsageError if a forced formulation does not apply to the robot.
Plan make_plan(const Robot& robot, const Options& options, Diagnostics& findings);

/// Traces the candidates of a function on `trees`, simplifies them, keeps the best one for Options::goal() and
/// schedules it in every form of the plan.
LoweredForms lower(const FunctionPlan& plan, const ChosenTrees& trees, const Options& options,
                   const Observer& observer = {});

/// Judges all forms of a function, stores the error of each, and returns the worst. The reference solver runs on
/// `user`.
reference::OutputError judge(LoweredForms& function, const model::UserTree& user);

/// Stands behind the name of a formulation that was traced in plain frames.
inline constexpr const char* plain_frames_mark = ", plain frames";

/// The kernels to print, and the tree in whose frames the kinematics and the placements of links are.
struct LoweredRobot {
  std::vector<LoweredFunction> functions;  ///< one for each form asked for, in the order of the plan
  model::CanonicalTree kinematic_tree;
  std::optional<model::FoldedTree> folded_tree;  ///< of functions in lanes
  bool exact_turns = false;                      ///< quarter turns that the file writes in decimals
                                                 ///< were taken as exact
};

/// Robot, Plan -> kernels that agree with the reference solver. With
/// --no-verify the first attempt is kept. Throws InputError if all attempts fail for a function.
LoweredRobot lower_robot(const Robot& robot, const Plan& plan, const Options& options,
                         const Observer& observer = {});

struct Emission : emit::Output {
  std::string name;               ///< namespace and stem of the file names
  bool turns_as_written = false;  ///< the robot has quarter turns in decimals
                                  ///< that may not be taken as exact
};

/// Kernels -> text. `name` is the namespace and the stem of the file names, as
/// asked for.
Emission emit_lowered(const Robot& robot, const std::string& name, LoweredRobot lowered,
                      const Options& options, const Observer& observer = {});
/// Robot, Plan -> kernels -> text.
Emission emit_robot(const Robot& robot, const Plan& plan, const Options& options,
                    const Observer& observer = {});
/// Plans, lowers and emits. For callers that ignore the findings of the plan.
Emission emit_robot(const Robot& robot, const Options& options, const Observer& observer = {});

}  // namespace featherline
