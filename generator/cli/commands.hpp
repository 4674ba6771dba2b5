#pragma once

#include "cli/options.hpp"
#include "cli/read_input.hpp"

#include <iosfwd>

/// What the three subcommands do with their inputs, one after the other. Results go to `out`, findings to `log`;
/// true where every input was fine. They throw EnvironmentError and UsageError; run() turns those into messages and
/// exit codes.
namespace featherline::cli {

/// Writes the emitted files of all inputs, or none where one is at fault, and a short report for each.
bool generate(const Options& options, std::ostream& out, FindingsLog& log);

/// Describes the robots as the generator sees them.
bool inspect(const Options& options, std::ostream& out, FindingsLog& log);

/// Whether compiled emitted code agrees with the reference solver; prints a table of errors.
bool check(const Options& options, std::ostream& out, FindingsLog& log);

/// The whole program: arguments (without the program's name) to exit code.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace featherline::cli
