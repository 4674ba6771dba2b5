#pragma once

#include "cost/estimate.hpp"
#include "model/build_tree.hpp"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace featherline::cli {

/// A whole command line, checked as far as that is possible without reading the robot.
struct Options {
  enum class Command { generate, inspect, check };
  enum class Format { text, json, dot };

  Command command = Command::generate;
  std::vector<std::string> inputs;  ///< paths, or "-" for standard input, at most once
  std::string urdf;                 ///< the one of them that is worked on, see for_each_input
  model::BuildOptions build;
  std::string joint_order_file;        ///< where build.joint_order comes from; empty: none
  std::string joint_dynamics = "off";  ///< off, urdf, or a file for model::set_joint_losses
  bool warnings_are_errors = false;
  Format diagnostics = Format::text;  ///< text or json

  // generate and check
  std::string name;                                 ///< empty: the robot's own
  std::vector<std::string> functions;               ///< names of functions, in the order of the catalogue
  std::vector<std::string> named_functions;         ///< those of them that --functions names one by one
  std::map<std::string, std::string> formulations;  ///< forced ones, by function

  // generate
  std::string output_folder, depfile, dump_after;
  std::vector<std::string> scalars{"double"};
  std::optional<cost::Target> target;  ///< of all estimates; nothing: the usual one of the scalars
  int max_stack = 0, max_code = 0;     ///< bytes a function may be estimated to take; 0: any
  int max_image = 0;                   ///< the same for all functions and what they share
  bool c_api = false;                  ///< also a C header and what it declares
  bool batch = false;                  ///< also for many states a call
  bool verify = true;                  ///< compare with the reference solver before anything is written
  bool force = false;                  ///< overwrite what featherline did not write
  bool quiet = false;

  Format inspect_format = Format::text;

  // check
  int states = 0;  ///< 0: what the reference solver does in reasonable time
  std::uint32_t seed = 1;
  bool size = false;  ///< also measure code and stack of every function
  bool keep = false;  ///< leave the temporary folder and say where it is
};

/// Reads the arguments (without the program's name). Nothing when the user asked for help or the version, which is
/// then on `out`. Throws UsageError naming the flag and the valid values.
std::optional<Options> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace featherline::cli
