#pragma once

#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "emit/emit.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Emitted code, compiled and timed on this machine.
namespace featherline::cli {

/// The flags that emitted code is timed with.
inline constexpr const char* timing_flags = "-O2 -march=native";

/// One formulation of a function, as the driver calls it.
struct TimedCall {
  const catalog::FunctionSpec* spec = nullptr;
  std::string robot;      ///< the namespace of the emitted code
  std::string function;   ///< as emitted: the packed form has another name than spec
  std::size_t group = 0;  ///< calls of one group are timed in turn
};

struct Timing {
  double ns = 0.0;       ///< the best time of a call
  double cold_ns = 0.0;  ///< the median of calls that find nothing in the caches; 0 without CommandLine::cold
  int bytes = 0;         ///< of the compiled function and its tables
};

/// Compiles the emitted `files` in `folder` with the host compiler, times `calls` with the first scalar and the seed of
/// `line`, and returns the timing of each. Calls of one group stand side by side.
std::vector<Timing> time_calls(const model::UserTree& tree, const CommandLine& line,
                               const std::filesystem::path& folder, const std::vector<emit::File>& files,
                               const std::vector<TimedCall>& calls, Progress& progress);

}  // namespace featherline::cli
