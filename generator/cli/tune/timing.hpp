#pragma once

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/tune/timing_driver.hpp"
#include "emit/emit.hpp"

#include <filesystem>
#include <vector>

/// Emitted code, compiled and timed on this machine.
namespace featherline::cli {

/// The flags that emitted code is timed with.
inline constexpr const char* timing_flags = "-O2 -march=native";

struct Timing {
  double ns = 0.0;  ///< the best time of a call
  int bytes = 0;    ///< of the compiled function and its tables
};

/// Compiles the emitted `files` in `folder` with the host compiler, times `calls` with the first scalar and the seed of
/// `line`, and returns the timing of each. Calls of one group stand side by side.
std::vector<Timing> time_calls(const model::UserTree& tree, const CommandLine& line,
                               const std::filesystem::path& folder, const std::vector<emit::File>& files,
                               const std::vector<TimedCall>& calls, Progress& progress);

}  // namespace featherline::cli
