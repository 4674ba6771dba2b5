#pragma once

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

}  // namespace featherline::cli
