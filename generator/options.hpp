#pragma once

#include "cost/estimate.hpp"
#include "ir/kernel.hpp"
#include "model/build_tree.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace featherline {

/// Everything that decides what is emitted for a robot. The command line fills it, and the stages read it. No other
/// type repeats a member of it.
struct Options {
  Options();  // elsewhere, for g++ 12 takes members of {} as uninitialised

  /// The lines of a file for model::set_joint_dynamics.
  struct JointDynamicsFile {
    std::string file, text;
  };

  // how the URDF is understood
  model::BuildOptions build;
  std::optional<JointDynamicsFile> joint_dynamics_file;

  // what is emitted, and how it is computed
  std::string name;                                 ///< empty: the robot's own
  std::vector<std::string> functions;               ///< asked for, in the order of the catalogue
  std::vector<std::string> named_functions;         ///< those of them that were asked for one by one
  std::map<std::string, std::string> formulations;  ///< forced ones, by function
  bool lanes = true;   ///< formulations that compute equal limbs side by side may be taken
  int max_code = 0;    ///< bytes above which loops replace unrolled code where there are loops; 0: any
  bool verify = true;  ///< judge every function before it is emitted (verify/verify.hpp)

  // in which forms
  std::vector<std::string> scalars{"double"};
  std::vector<std::string> bindings;   ///< of emit/bindings/, by their options: "c-api", "batch"
  std::optional<cost::Target> target;  ///< of all estimates; nothing: the usual one of the scalars

  /// For tests: changes every traced function, to see that verification notices.
  std::function<ir::Kernel(const ir::Kernel&)> tamper;

  /// Whether the user named the function. If it does not exist for the robot, this is an error. A function that a group
  /// asks for is left out with a warning.
  bool is_named(const std::string& function) const;
  bool has_binding(std::string_view option) const;
  cost::Target estimated_target() const;
};

/// The options as flags, defaults spelled out, with `functions` for those that were asked for; no paths. For banner and
/// manifest, and for the command that repeats a run.
std::string flags_in_effect(const Options& options, const std::vector<std::string>& functions);

}  // namespace featherline
