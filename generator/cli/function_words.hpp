#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The words of --functions and --formulation, looked up in the catalogue.
namespace featherline::cli {

/// Turns function names, groups and "all" into names of functions. Each occurs once, in the order of the catalogue.
/// Throws UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// {"rnea=link frames"} becomes {{"rnea", "link frames"}}. Throws UsageError for a function or formulation that does
/// not exist, and for a function named twice.
std::map<std::string, std::string> resolve_formulations(const std::vector<std::string>& words);

/// The groups that are emitted if the user names no functions: all but the second order, which is large.
std::vector<std::string> default_functions();

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

}  // namespace featherline::cli
