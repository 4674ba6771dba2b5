#pragma once

#include "cli/options.hpp"

#include <iosfwd>

/// What the three subcommands do. Results go to `out`, findings to `err`. They throw InputError,
/// EnvironmentError and UsageError; run() turns those into messages and exit codes.
namespace featherline::cli {

/// Writes the emitted files and a short report.
void generate(const Options& options, std::ostream& out, std::ostream& err);

/// Describes the robot as the generator sees it.
void inspect(const Options& options, std::ostream& out, std::ostream& err);

/// Whether compiled emitted code agrees with the reference solver; prints a table of errors.
bool check(const Options& options, std::ostream& out, std::ostream& err);

/// The whole program: arguments (without the program's name) to exit code.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace featherline::cli
