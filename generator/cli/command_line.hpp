#pragma once

#include "options.hpp"
#include "support/finding.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace featherline::cli {

/// A whole command line. It is checked as far as that is possible without reading the robot.
struct CommandLine {
  enum class Command { generate, inspect, check, tune, compare };
  enum class Format { text, json, dot, html, markdown };
  enum class Findings { text, full, json };

  Command command = Command::generate;
  std::vector<std::string> inputs;  ///< paths; "-" stands for standard input and may occur once
  std::string urdf;                 ///< the one of `inputs` that is worked on, see for_each_input
  Options options;
  std::string choices_file;       ///< of --choices, for generate, check and compare; empty: none
  std::string joint_order_file;   ///< the file that options.build.joint_order comes from; empty: none
  std::vector<Finding> accepted;  ///< warnings of these kinds are left out
  bool warnings_are_errors = false;
  Findings diagnostics = Findings::text;  ///< full: none is grouped with others of its kind

  // generate
  std::string output_folder, depfile, dump_after;
  int max_stack = 0;   ///< largest estimated stack of a function in bytes; 0: any
  int max_image = 0;   ///< largest estimate for the code of all functions and what they share; 0: any
  bool force = false;  ///< overwrite files that featherline did not write
  bool report = true;
  bool quiet = false;  ///< no report, and no warnings and notes

  // tune
  std::string choices_output;  ///< the file of choices to write

  // inspect, compare
  Format format = Format::text;  ///< dot, html: inspect alone; markdown: compare alone

  // compare
  bool measure = false;  ///< also compile and time all formulations

  // check
  int states = 0;  ///< 0: as many as the reference solver computes in reasonable time
  std::uint32_t seed = 1;
  bool size = false;  ///< also measure code and stack of every function
  bool keep = false;  ///< leave the temporary folder there and say where it is
};

/// The files that a run reads. Standard input is none.
std::vector<std::string> files_read(const CommandLine& line);

/// Reads the arguments (without the program's name). Returns nothing if the user asked for help or the version, which
/// is then on `out`. Throws UsageError, which names the flag and the valid values.
std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace featherline::cli
