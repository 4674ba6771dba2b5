#pragma once

#include "model/tree.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

namespace featherline {

/// Errors for functions whose arrays would have more than 8 million entries (64 MB): straight-line code for them is out
/// of reach, and the robot is rather a mistake. Counted are outputs, and the mass matrix where it is inverted.
void refuse_oversized_outputs(const std::vector<std::string>& functions, const model::Tree& tree,
                              const std::string& file, Diagnostics& findings);

}  // namespace featherline
