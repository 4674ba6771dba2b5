#pragma once

#include "support/nearest_name.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Guesses what the user meant by a word that is no function, flag or value.
namespace featherline::cli {

/// Our function that does what `word` does in another library (Pinocchio, MuJoCo, RBDL) or in a textbook: "crba" is
/// "mass_matrix". It also finds our own names in another style: "RNEA", "massMatrix". Upper case, underscores, dashes
/// and a namespace in front do not count. Empty if `names` has nothing like it.
std::string known_elsewhere_as(std::string_view word, const std::vector<std::string>& names);

/// All our functions that a foreign name leads to. For tests.
std::vector<std::string> targets_of_foreign_names();

// The words of --functions and --formulation, looked up in the catalogue.

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
