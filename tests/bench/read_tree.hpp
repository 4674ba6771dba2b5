#pragma once

#include "model/tree.hpp"

#include <string>

namespace featherline::bench {

/// The tree of a URDF with independent mimic joints, as the benches generate their robots. Throws std::runtime_error
/// if the file cannot be read.
model::UserTree read_tree(const std::string& urdf, bool floating_base);

}  // namespace featherline::bench
