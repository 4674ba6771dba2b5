#pragma once

#include <map>
#include <string>
#include <vector>

/// The words of --functions and --formulation, looked up in the registry of algorithms.
namespace featherline::cli {

/// Names of algorithms in the order of the registry, each once, from function names, groups and "all". Throws
/// UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// {"rnea=link frames"} -> {{"rnea", "link frames"}}. Throws UsageError for a function or formulation that does not
/// exist, and for a function named twice.
std::map<std::string, std::string> resolve_formulations(const std::vector<std::string>& words);

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

}  // namespace featherline::cli
