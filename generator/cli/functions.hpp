#pragma once

#include <map>
#include <string>
#include <vector>

/// The words of --functions and --formulation, looked up in the catalogue.
namespace featherline::cli {

/// Names of functions in the order of the catalogue, each once, from function names, groups and "all". Throws
/// UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// {"rnea=link frames"} -> {{"rnea", "link frames"}}. Throws UsageError for a function or formulation that does not
/// exist, and for a function named twice.
std::map<std::string, std::string> resolve_formulations(const std::vector<std::string>& words);

/// The groups that are emitted when nothing is asked for: all but second order, which is large.
std::vector<std::string> default_functions();

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

}  // namespace featherline::cli
