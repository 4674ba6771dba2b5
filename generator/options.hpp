#pragma once

#include "cost/device.hpp"
#include "model/build_tree.hpp"
#include "model/chosen_frames.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace featherline {

/// What formulations are chosen by.
enum class Goal {
  speed,    ///< the predicted time of a call (cost/time.hpp)
  latency,  ///< the predicted time of a call that finds nothing in the caches (cost/time.hpp)
  size,     ///< the estimated bytes of code
  flops,    ///< the number of operations; loops only for functions that are too large to unroll
};

/// Everything that decides what is emitted for a robot. The command line fills it, and the stages read it. No other
/// type repeats a member of it.
struct Options {
  Options();  // in option_table.cpp, for g++ 12 takes members of {} as uninitialised

  /// The lines of a file for model::set_joint_dynamics.
  struct JointDynamicsFile {
    std::string file, text;
  };

  // how the robot's file is understood
  bool allow_unknown_attributes = false;  ///< what the format does not have is ignored, with a warning
  std::string xacro_arguments;            ///< NAME:=VALUE with blanks between them, for files of xacro
  model::BuildOptions build;
  std::optional<JointDynamicsFile> joint_dynamics_file;
  std::vector<std::string> external_forces;  ///< links; see model::choose_inputs
  std::vector<std::string> parameters;       ///< see model/chosen_inputs.hpp
  std::vector<model::FrameRequest> frames;
  std::vector<model::FrameRequest> contacts;
  std::vector<std::string> contact_joints;  ///< see model/joint_roles.hpp
  std::vector<std::string> eliminate;       ///< further loops; see model::eliminate_loops
  double kp = 0.0, kd = 0.0;                ///< of model::Constraints
  std::vector<std::string> actuated;        ///< joints; see model/joint_roles.hpp
  model::Integrator integrator = model::Integrator::semi_implicit;  ///< of steps in time
  model::FrameAxes frame_axes = model::FrameAxes::local_world_aligned;
  std::vector<std::string> regressor_columns;  ///< names of model::joint_column_words()
  std::vector<std::string> frame_parts;  ///< of frame_kinematics, names of model::frame_parts(); none: all

  // what is emitted, and how it is computed
  std::string name;                                 ///< empty: the robot's own
  std::vector<std::string> functions;               ///< asked for, in the order of the catalogue
  std::vector<std::string> named_functions;         ///< those of them that were asked for one by one
  std::map<std::string, std::string> formulations;  ///< forced ones, by function
  std::map<std::string, std::string> choices;       ///< measured to be the fastest (--choices), by function
  std::optional<Goal> optimise_for;
  bool lanes = true;   ///< formulations that compute equal limbs side by side may be taken
  int max_code = 0;    ///< the longest code of a function in bytes, where some formulation allows it; 0: any
  int jobs = 1;        ///< functions at the same time; the files are the same with any number
  bool verify = true;  ///< judge every function before it is emitted (verify/verify.hpp)

  // in which forms
  std::vector<std::string> scalars{"double"};
  bool with_derivatives = false;  ///< functions that hold derivatives of those that are named are named, too
  std::vector<std::string> bindings;   ///< of emit/bindings/, by their options: "c-api", "batch"
  int shards = 0;                      ///< numbered files that functions share; 0: each has files of its own
  std::optional<cost::Target> target;  ///< of all estimates; nothing: the usual one of the scalars
  int flash_wait_states = 0;           ///< of predicted cycles (cost/estimate.hpp)
  std::optional<cost::Device> device;  ///< what functions for devices are chosen and estimated for

  /// Whether the user named the function. If it does not exist for the robot, this is an error. A function that a group
  /// asks for is left out with a warning.
  bool is_named(const std::string& function) const {
    return std::ranges::count(named_functions, function) > 0;
  }
  bool has_binding(std::string_view option) const { return std::ranges::count(bindings, option) > 0; }
  cost::Target estimated_target() const { return target.value_or(cost::usual_target(scalars)); }
  cost::Device estimated_device() const { return device.value_or(cost::Device::cuda_sm90); }
  /// What the user asked for, or else: speed on x86-64, flops on microcontrollers, whose time follows them. They have
  /// no caches to fill, so the least code is what answers first.
  Goal goal() const {
    if (is_size_in_place_of_latency()) return Goal::size;
    return optimise_for.value_or(cost::is_cortex_m(estimated_target()) ? Goal::flops : Goal::speed);
  }
  /// Whether the least predicted time is chosen, warm or cold. A cold call takes at least as long as a warm one.
  bool is_for_time() const { return goal() == Goal::speed || goal() == Goal::latency; }
  bool is_size_in_place_of_latency() const {
    return optimise_for == Goal::latency && cost::is_cortex_m(estimated_target());
  }
  /// The same for what devices run: the fewest operations, limbs one behind the other, whatever the processor runs.
  Options for_devices() const;
  /// The formulation that the user, or else a measurement, demands for the function; nullptr where none does.
  const std::string* demanded_formulation(const std::string& function) const;
};

struct GoalName {
  const char* name;  ///< as --optimise-for takes it
  Goal goal;
};
inline constexpr std::array<GoalName, 4> goal_names{
    {{"speed", Goal::speed}, {"latency", Goal::latency}, {"size", Goal::size}, {"flops", Goal::flops}}};

/// The options that change what a function computes and how its robot is understood, as flags. Measured choices are
/// valid for these.
std::string robot_flags(const Options& options);

/// The options as flags, defaults spelled out, with `functions` for those that were asked for; no paths. For banner and
/// manifest, and for the command that repeats a run.
std::string flags_in_effect(const Options& options, const std::vector<std::string>& functions);

}  // namespace featherline
