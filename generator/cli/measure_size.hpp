#pragma once

#include "pipeline.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace featherline::cli {

/// What the host compiler makes of one emitted function, in bytes.
struct MeasuredSize {
  int code_fast = 0;   ///< -O2
  int code_small = 0;  ///< -Os
  int stack = 0;       ///< -O2: frame of the entry function and the deepest of those it calls
};

/// Compiles the source of every function, which lies in `folder`, twice; in the order of `emission.facts`. Throws
/// EnvironmentError when compiler or nm fail.
std::vector<MeasuredSize> measure_sizes(const Emission& emission, const std::filesystem::path& folder);

/// Estimates and measurements side by side.
std::string size_table(const Emission& emission, const std::vector<MeasuredSize>& sizes);

/// The manifest with a member "measured" in every function.
std::string manifest_with_sizes(const Emission& emission, const std::vector<MeasuredSize>& sizes);

}  // namespace featherline::cli
