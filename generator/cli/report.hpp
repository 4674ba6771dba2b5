#pragma once

#include "cli/command_line.hpp"
#include "pipeline.hpp"

#include <string>

/// What is said while a command runs and when it is done.
namespace featherline::cli {

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

/// What `generate` says on success: robot, table of functions, where the files are.
std::string report(const CommandLine& line, const model::Tree& tree, const Emission& emission);

/// Throws InputError naming every function whose estimate exceeds --max-stack or --max-code, and all of them where
/// together they exceed --max-image.
void check_budgets(const CommandLine& line, const Emission& emission);

}  // namespace featherline::cli
