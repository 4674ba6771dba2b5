#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace featherline::cli
