#pragma once

#include "model/tree.hpp"
#include "options.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <vector>

namespace featherline {

/// Those of `functions` that can be emitted with the inputs that the user chose. A function that depends on external
/// forces, but cannot take them, is an error if the user named it; of a group, it is left out with a warning. Throws
/// UsageError for an input that no function depends on.
std::vector<std::string> drop_functions_without_forces(const std::vector<std::string>& functions,
                                                       const Options& options, const model::UserTree& tree,
                                                       const std::string& file, Diagnostics& findings);

/// Throws UsageError if the user chose frames, and no function needs them.
void refuse_unused_frames(const std::vector<std::string>& functions, const Options& options);

}  // namespace featherline
