#pragma once

#include "model/tree.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace featherline {

/// Throws UsageError for an input that the user chose and no function depends on. `dropped`: functions that depend on
/// external forces, but cannot take them.
void refuse_unused_inputs(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                          const model::Tree& tree);

/// Throws UsageError if the user chose frames, and no function needs them.
void refuse_unused_frames(const std::vector<std::string>& functions, const Options& options);

}  // namespace featherline
