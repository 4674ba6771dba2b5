#pragma once

#include "model/tree.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace featherline {

/// Throws UsageError for frames, contacts and inputs that the user chose and no function depends on. `dropped`: functions
/// that depend on external forces, but cannot take them.
void refuse_unused_choices(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                           const Options& options, const model::Tree& tree);

}  // namespace featherline
