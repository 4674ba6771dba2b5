#pragma once

#include "pipeline.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace featherline::cli {

/// What $CXX makes of one emitted function, in bytes.
struct MeasuredSize {
  int code_fast = 0;   ///< with -O2; on microcontrollers without sincos, which an image has once
  int code_small = 0;  ///< with -Os
  int stack = 0;       ///< with -O2: the deepest chain of calls
  std::map<std::string, int> symbols = {};  ///< with -O2
};

/// Compiles the source of the function twice. It is in `folder`. Throws EnvironmentError if the compiler or nm fails.
MeasuredSize measure_size(const Emission& emission, const std::string& function,
                          const std::filesystem::path& folder);

/// A table of the estimates for `target` and the measurements of all functions, side by side. The measurements are also
/// added to the manifest in the folder.
std::string measure_sizes(const Emission& emission, const std::filesystem::path& folder,
                          const std::string& target);

}  // namespace featherline::cli
