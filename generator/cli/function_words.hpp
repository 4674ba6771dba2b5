#pragma once

#include "option_table.hpp"

#include <string>
#include <vector>

/// The words of --functions and --formulation, looked up in the catalogue.
namespace featherline::cli {

/// Turns function names, groups and "all" into names of functions. Each occurs once, in the order of the catalogue.
/// Throws UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// Throws UsageError for a forced formulation of a function that does not exist or is not among the functions, and for
/// one that the function does not have.
void check_formulations(const Options& options);

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

}  // namespace featherline::cli
