#pragma once

#include "pipeline.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace featherline::cli {

/// What $CXX makes of one emitted function, in bytes.
struct MeasuredSize {
  int code_fast = 0;   ///< with -O2; on microcontrollers without sincos, which an image has once
  int code_small = 0;  ///< with -Os
  int stack = 0;       ///< with -O2: the deepest chain of calls
};

struct MeasuredSizes {
  std::vector<MeasuredSize> functions;  ///< in the order of Emission::facts
  int image = 0;  ///< with -O2: all functions, with the code that they share counted once
};

/// Compiles the source of every function twice. The sources are in `folder`. Throws EnvironmentError if the compiler or
/// nm fails.
MeasuredSizes measure_sizes(const Emission& emission, const std::filesystem::path& folder);

/// A table of the estimates for `target` and the measurements, side by side.
std::string size_table(const Emission& emission, const MeasuredSizes& sizes, const std::string& target);

/// The manifest with a member "measured" added to every function.
std::string manifest_with_sizes(const Emission& emission, const MeasuredSizes& sizes);

}  // namespace featherline::cli
