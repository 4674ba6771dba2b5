#pragma once

#include "option_table.hpp"
#include "robot.hpp"
#include "support/diagnostic.hpp"
#include "support/observer.hpp"

#include <algorithm>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The subcommands: their arguments, and their work on one input after the other. Results go to `out`, findings to
/// `log`. A command returns true if every input was fine. It throws EnvironmentError and UsageError. run() turns these
/// into messages and exit codes.
namespace featherline::cli {

/// The files that a run reads. Standard input is none.
std::vector<std::string> files_read(const CommandLine& line);

/// Reads the arguments (without the program's name). Returns nothing if the user asked for help or the version, which
/// is then on `out`. Throws UsageError, which names the flag and the valid values.
std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments, std::ostream& out);

/// Writes findings to `err`, under --quiet errors alone. Text is written at once. JSON is written as one array for all
/// inputs, in the destructor.
class FindingsLog {
 public:
  FindingsLog(const CommandLine& line, std::ostream& err)
      : format_(line.diagnostics), least_(line.quiet ? Severity::error : Severity::note), err_(err) {}
  ~FindingsLog();
  FindingsLog(const FindingsLog&) = delete;
  FindingsLog& operator=(const FindingsLog&) = delete;

  void add(const Diagnostics& findings);
  /// Even under --quiet: for warnings that stop the run.
  void show_warnings() { least_ = std::min(least_, Severity::warning); }

 private:
  CommandLine::Findings format_;
  Severity least_;
  std::ostream& err_;
  Diagnostics collected_;
};

/// Calls `work` for every input in turn, with `model` set. If it throws InputError, the error goes to the log and the
/// next input follows. Returns whether all inputs were fine.
bool for_each_input(const CommandLine& line, FindingsLog& log,
                    const std::function<bool(const CommandLine&)>& work);

/// Prints what `work` makes of every input, in order: as an array if JSON is asked for and there are several. An input
/// that cannot be read has an object there that says what is wrong with it, with the keys "file" and "diagnostics".
bool print_each(const CommandLine& line, std::ostream& out, FindingsLog& log,
                const std::function<std::string(const CommandLine&, FindingsLog&)>& work);

/// To be called when all findings are known. Logs them, or throws InputError if --werror makes them an error.
void settle_findings(const CommandLine& line, Diagnostics& findings, FindingsLog& log);

/// One line on stderr that says what is being worked on. Each new text replaces the last. If stderr is not a terminal,
/// nothing is written.
class Progress {
 public:
  Progress() = default;
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what);
  /// What shows the progress of a run.
  Observer observer();
  /// Removes the line, so that other text can follow.
  void clear();

 private:
  bool shown_ = false;
};

struct CommandDoc {
  CommandLine::Command command;
  bool (*run)(const CommandLine&, std::ostream& out, FindingsLog&);
  std::string name;
  std::string does;    ///< a sentence
  std::string footer;  ///< below the options of its --help
};
const std::vector<CommandDoc>& commands();

std::string help();
std::string help(const CommandDoc& command);

/// The table of options in another language: "python", "cmake" or "markdown". Throws UsageError for others.
std::string option_list(const std::string& language);

/// The whole program, from the arguments (without the program's name) to the exit code.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

/// Writes the emitted files of all inputs and a short report for each. If one input is at fault, it writes no files.
bool generate(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// Describes the robots as the generator sees them, as --format says.
bool inspect(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// One JSON object. Infinite limits are null.
std::string inspect_json(const Robot& robot, const Diagnostics& findings);
/// A digraph for Graphviz. Bodies are boxes that list the links merged into them. Joints are edges.
std::string inspect_dot(const Robot& robot);
/// The tree, and tables of the coordinates, the bodies and what the user chose.
std::string inspect_text(const Robot& robot);

/// Whether the compiled code agrees with the reference solver. Prints a table of errors.
bool check(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// Prints every formulation of every function that was asked for side by side, as --format says. Writes no file.
bool compare(const CommandLine& line, std::ostream& out, FindingsLog& log);

/// Compiles every candidate formulation of every function that was asked for, times them on this machine, and writes
/// the fastest ones to a file for --choices.
bool tune(const CommandLine& line, std::ostream& out, FindingsLog& log);

// The words of --functions and --formulation, looked up in the catalogue.

/// Turns function names, groups and "all" into names of functions. Each occurs once, in the order of the catalogue.
/// Throws UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// Throws UsageError for a forced formulation of a function that does not exist or is not among the functions, and for
/// one that the function does not have.
void check_formulations(const Options& options);

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

// Names of functions in other libraries and in textbooks, and what they are here (templates/foreign_names.in).

struct ForeignName {
  std::string_view theirs;  ///< plain(), see below
  std::string_view ours;    ///< our function; empty if there is none
  std::string_view
      note;  ///< how ours differs, or what to use in its place; may be empty if there is a function
  std::string_view library;  ///< empty for names of textbooks
};

/// A name without what differs between styles: "pinocchio::computeMinverse", "pin.computeMinverse" and
/// "compute_minverse" become "computeminverse".
std::string plain(std::string_view word);

/// All of them, library by library.
const std::vector<ForeignName>& foreign_names();

/// Null if no library of ours has the word. Upper case, underscores, dashes and a namespace or module in front
/// do not count.
const ForeignName* find_foreign_name(std::string_view word);

/// `"crba" of Pinocchio is "mass_matrix" here: it fills both triangles, crba the upper one alone`.
std::string describe(const ForeignName& name, std::string_view word);

}  // namespace featherline::cli
