#include "cli/tune/timing.hpp"

#include "cli/check/check_driver.hpp"
#include "cli/host_compiler.hpp"
#include "cli/output_files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <random>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

constexpr int num_states = 16;  // their inputs stay in the first-level cache, as those of a controller do

std::vector<reference::State> random_states(const model::UserTree& tree, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<reference::State> states;
  for (int k = 0; k < num_states; ++k) states.push_back(reference::random_state(tree, random));
  return states;
}

std::vector<Timing> read_timings(const fs::path& folder, const fs::path& times,
                                 const std::vector<TimedCall>& calls) {
  std::vector<Timing> timings(calls.size());
  std::ifstream in(times);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (!(in >> timings[k].ns)) throw InternalError("the compiled driver wrote too few times");
    const fs::path source = folder / (calls[k].robot + "_" + calls[k].function + ".cpp");
    for (const auto& [symbol, bytes] : object_symbols(source.string() + ".o")) timings[k].bytes += bytes;
  }
  return timings;
}

}  // namespace

std::vector<Timing> time_calls(const model::UserTree& tree, const CommandLine& line, const fs::path& folder,
                               const std::vector<emit::File>& files, const std::vector<TimedCall>& calls,
                               Progress& progress) {
  std::vector<OutputFile> written;
  std::vector<fs::path> sources{folder / "featherline_tune_driver.cpp"};
  for (const emit::File& file : files) {
    written.push_back({folder / file.relative_name, file.content});
    if (written.back().path.extension() == ".cpp") sources.push_back(written.back().path);
  }
  written.push_back({sources.front(), timing_driver(tree, line.options.scalars.front(), calls)});
  write_files(written);
  progress.show(fmt::format("compiling {} files", sources.size()));
  const fs::path driver = folder / "driver", states = folder / "states.bin", times = folder / "times";
  compile(sources, {folder, runtime_headers()}, driver, timing_flags);
  write_states(states, random_states(tree, line.seed));
  progress.show("timing");
  if (!run_program(driver, {states.string(), times.string()}))
    throw InternalError("the compiled driver in " + folder.string() + " failed");
  return read_timings(folder, times, calls);
}

}  // namespace featherline::cli
