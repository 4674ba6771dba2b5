#pragma once

#include "cli/command_line.hpp"
#include "support/diagnostic.hpp"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

/// What the three subcommands do with their inputs, one after the other. Results go to `out`, findings to `log`;
/// true where every input was fine. They throw EnvironmentError and UsageError; run() turns those into messages and
/// exit codes.
namespace featherline::cli {

/// Findings on `err`: as text at once, as JSON in one array for all inputs when the log goes out of scope.
class FindingsLog {
 public:
  FindingsLog(CommandLine::Format format, std::ostream& err) : format_(format), err_(err) {}
  ~FindingsLog();
  FindingsLog(const FindingsLog&) = delete;
  FindingsLog& operator=(const FindingsLog&) = delete;

  void add(const Diagnostics& findings);

 private:
  CommandLine::Format format_;
  std::ostream& err_;
  Diagnostics collected_;
};

/// Calls `work` for every input in turn, with `urdf` set; InputErrors go to the log and the next input follows.
/// Whether all went well.
bool for_each_input(const CommandLine& line, FindingsLog& log,
                    const std::function<bool(const CommandLine&)>& work);

/// Once all findings are in: logs them, or throws InputError when --werror makes them an error.
void settle_findings(const CommandLine& line, Diagnostics& findings, FindingsLog& log);

/// One line on stderr that says what is being worked on, written over itself; nothing where stderr is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what);
  /// Takes the line away, so that other text can follow.
  void clear();

 private:
  bool on_terminal_;
  bool shown_ = false;
};

/// The whole program: arguments (without the program's name) to exit code.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace featherline::cli
