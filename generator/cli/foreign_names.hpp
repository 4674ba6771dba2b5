#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace featherline::cli {

/// The function of ours that does what `word` does in another library (Pinocchio, MuJoCo, RBDL) or in a textbook:
/// "crba" is "mass_matrix". One of ours written in another style is found, too: "RNEA", "massMatrix". Upper case,
/// underscores, dashes and a namespace in front do not count. Empty where `names` has nothing like it.
std::string known_elsewhere_as(std::string_view word, const std::vector<std::string>& names);

/// All functions of ours that a foreign name leads to; for tests.
std::vector<std::string> targets_of_foreign_names();

}  // namespace featherline::cli
