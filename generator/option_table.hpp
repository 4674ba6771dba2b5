#pragma once

#include "options.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// The command line as a value, and the one table of its options. Parsing, --help, the flags in effect, the keywords of
/// Python and of CMake, and the guide's page of options follow from the table.
namespace featherline::cli {

/// A whole command line. It is checked as far as that is possible without reading the robot.
struct CommandLine {
  enum Command : unsigned { generate = 1, inspect = 2, check = 4, tune = 8, compare = 16 };
  enum class Format { text, json, dot, html, markdown };
  enum class Findings { text, full, json };

  Command command = generate;
  std::vector<std::string> inputs;  ///< paths; "-" stands for standard input and may occur once
  std::string model;                ///< the one of `inputs` that is worked on, see for_each_input
  Options options;
  std::string choices_file;           ///< of --choices, for generate, check and compare; empty: none
  std::string joint_order_file;       ///< the file that options.build.joint_order comes from; empty: none
  std::vector<std::string> accepted;  ///< names of warnings that are left out
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
  std::string trajectory_file;   ///< that the page's drawing plays, for inspect; empty: none
  Format format = Format::text;  ///< dot, html: inspect alone; markdown: compare alone

  // compare
  bool measure = false;  ///< also compile and time all formulations

  // tune, compare
  bool cold = false;  ///< also time calls that find nothing in the caches

  // check
  int states = 0;  ///< 0: as many as the reference solver computes in reasonable time
  std::uint32_t seed = 1;
  bool size = false;  ///< also measure code and stack of every function
  bool keep = false;  ///< leave the temporary folder there and say where it is
};

/// What stands behind a flag on the command line, over all its uses.
struct Given {
  std::string flag;
  std::vector<std::string> texts;

  const std::string& text() const { return texts.front(); }
  /// Throws UsageError: `--states: "0" is not ...`.
  [[noreturn]] void refuse(const std::string& why) const;
};

/// What a flag takes. Python and CMake have a converter for each.
enum class Takes {
  nothing,
  word,
  number,   ///< or a word for one, "2k"
  numbers,  ///< with commas between them
  list,     ///< items, in which commas may stand between numbers; the flag may be repeated
  names,    ///< as list, but a comma in a name is escaped
  pairs,    ///< as list, of NAME=VALUE
  scalars,  ///< as list, of "double" and "float"
  file,     ///< a file that is read, or one of the words of the argument
  lines,    ///< a file of names, one a line
};

/// How options of one type are read and printed; option_types.hpp makes them.
struct OptionType {
  Takes takes = Takes::nothing;
  /// Throws UsageError, which names the flag and the valid values.
  std::function<void(const Given&, CommandLine&)> parse;
  /// What stands behind the flag in a shell, for each of its uses: nothing if it need not be there.
  std::function<std::vector<std::string>(CommandLine&)> print = {};
};

/// Where an option belongs, beside the commands (CommandLine::Command).
namespace places {
inline constexpr unsigned every_command = 31;
inline constexpr unsigned page = 32;          ///< `inspect`, for --format html alone
inline constexpr unsigned keyword = 64;       ///< of Python's load()
inline constexpr unsigned robot_flags = 128;  ///< printed: it decides what is computed (robot_flags())
inline constexpr unsigned flags = 256;        ///< printed: it decides how (flags_in_effect())
inline constexpr unsigned always = 512;       ///< printed even at its default
inline constexpr unsigned not_empty = 1024;   ///< a list that has to have items, because none would mean all
inline constexpr unsigned cmake = 2048;       ///< an argument that add_robot_dynamics() passes on
}  // namespace places

/// An option: all that is to be said of it.
struct Option {
  std::string flag;    ///< with its dashes
  unsigned where = 0;  ///< commands and places
  OptionType type;
  // For --help, from templates/help/options.in.
  std::string argument = {};  ///< empty: none
  std::string words = {};     ///< what it does

  bool is_repeated() const;
};

/// The groups that --functions means if it is left out.
std::vector<std::string> default_functions();

/// All of them, in the order of --help and of the flags in effect.
const std::vector<Option>& option_table();

}  // namespace featherline::cli
