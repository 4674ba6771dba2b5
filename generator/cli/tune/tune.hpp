#pragma once

#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "emit/emit.hpp"
#include "robot.hpp"
#include "support/diagnostic.hpp"
#include "support/json.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

/// The file of `featherline tune`: which formulation of each function was the fastest for a robot, on what machine, and
/// how long all of them took. `--choices` reads it.
namespace featherline::cli {

/// One formulation, compiled and timed.
struct TimedCandidate {
  std::string name;
  double ns = 0;            ///< of a call, best of many
  double predicted_ns = 0;  ///< by cost/time.hpp
  double cold_ns = 0;       ///< of a call that finds nothing in the caches, median; 0 without --cold
  double predicted_cold_ns = 0;
  int bytes = 0;        ///< of machine code and tables
  bool allowed = true;  ///< by --max-code
  Json work;            ///< the counts that the prediction is made from
};

struct TimedFunction {
  std::string name;  ///< as in the catalogue
  std::vector<TimedCandidate> candidates;

  /// The fastest of those that --max-code allows, cold where that was timed. If it allows none, the shortest.
  const TimedCandidate& chosen() const;
};

/// The processor of this machine, as it names itself, with family and model: "AMD EPYC" is any of five generations.
std::string processor_name();
/// The same from the text of /proc/cpuinfo; empty where it has no name.
std::string processor_name(std::istream& cpuinfo);

/// The content of the file.
Json choices_to_json(const CommandLine& line, const Robot& robot,
                     const std::vector<TimedFunction>& functions);

/// Whether the JSON is such a file, for refuse_foreign_files.
bool is_choices(const Json& json);

/// The line with Options::choices from --choices, if it is given. Reports what does not fit: if robot or options are
/// others, it is an error. If the version or the processor is another, the choices hold, but may not be the fastest.
/// Throws InputError on errors.
CommandLine with_choices(const CommandLine& line, const Robot& robot, Diagnostics& findings);

// Emitted code, compiled and timed on this machine.

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
