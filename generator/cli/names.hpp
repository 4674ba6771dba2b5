#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Words that are no function, flag or value: what the user may have meant.
namespace featherline::cli {

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours) from `name`; empty when none is
/// near enough to be a slip of the fingers. Ties go to the first candidate.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "x, y, z"
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

/// `"nmae" is not one of name, size; did you mean "name"?`: the text of every refused word. The suggestion is the
/// nearest name where none is given.
std::string refuse_word(std::string_view word, const std::vector<std::string>& valid,
                        const std::string& suggestion = {});

/// The function of ours that does what `word` does in another library (Pinocchio, MuJoCo, RBDL) or in a textbook:
/// "crba" is "mass_matrix". One of ours written in another style is found, too: "RNEA", "massMatrix". Upper case,
/// underscores, dashes and a namespace in front do not count. Empty where `names` has nothing like it.
std::string known_elsewhere_as(std::string_view word, const std::vector<std::string>& names);

/// All functions of ours that a foreign name leads to; for tests.
std::vector<std::string> targets_of_foreign_names();

// The words of --functions and --formulation, looked up in the catalogue.

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
