#pragma once

#include "pipeline.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace featherline::cli {

/// What $CXX makes of one emitted function, in bytes.
struct MeasuredSize {
  int code_fast = 0;   ///< -O2; on microcontrollers without sincos, which an image has once
  int code_small = 0;  ///< -Os
  int stack = 0;       ///< -O2: the deepest chain of calls
};

struct MeasuredSizes {
  std::vector<MeasuredSize> functions;  ///< in the order of Emission::facts
  int image = 0;                        ///< -O2: all of them, what they share once
};

/// Compiles the source of every function, which lies in `folder`, twice. Throws EnvironmentError when compiler or nm
/// fail.
MeasuredSizes measure_sizes(const Emission& emission, const std::filesystem::path& folder);

/// Estimates for `target` and measurements side by side.
std::string size_table(const Emission& emission, const MeasuredSizes& sizes, const std::string& target);

/// The manifest with a member "measured" in every function.
std::string manifest_with_sizes(const Emission& emission, const MeasuredSizes& sizes);

}  // namespace featherline::cli
