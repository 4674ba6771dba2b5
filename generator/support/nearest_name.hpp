#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Guesses what the user meant by a word that does not exist.
namespace featherline {

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours) from `name`. It is empty if no
/// candidate is near enough to be a typing mistake. If two are equally near, the first is taken.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// The words with commas between them: "x, y, z".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

/// The text for every refused word: `"nmae" is not one of name, size; did you mean "name"?`. If no suggestion is given,
/// the nearest name is suggested.
std::string refuse_word(std::string_view word, const std::vector<std::string>& valid,
                        const std::string& suggestion = {});

}  // namespace featherline
