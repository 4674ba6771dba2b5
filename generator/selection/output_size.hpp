#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

namespace featherline {

/// Reports an error for every function with an array of more than 8 million entries (64 MB). Code for such arrays is
/// too long, and such a robot is probably a mistake. Outputs count. The mass matrix counts, too, if the function
/// inverts it.
void refuse_oversized_outputs(const std::vector<std::string>& functions, const model::Tree& tree,
                              const std::string& file, Diagnostics& findings);

}  // namespace featherline
