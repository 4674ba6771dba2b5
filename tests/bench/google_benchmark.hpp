#pragma once

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace featherline::bench {

/// main() of a bench: takes Google Benchmark's flags and calls `run`. What it throws goes to standard error, and the
/// exit code is 1; unknown flags give 2.
inline int guarded_main(int argc, char** argv, int (*run)()) {
  try {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    return run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

/// Calls body(k) for all states in turn, so that nothing about the arguments is known to the compiler or cached.
template <class Body>
void cycle(benchmark::State& state, std::size_t num_states, const Body& body) {
  std::size_t k = 0;
  for (auto _ : state) {
    body(k);
    benchmark::ClobberMemory();
    if (++k == num_states) k = 0;
  }
}

/// The shortest CPU time (elapsed time, where a benchmark asks for that) per iteration over all repetitions: what
/// disturbs a measurement on a shared machine only ever makes it longer. Where nothing is repeated the runs appear on
/// the console as usual.
class MinReporter : public benchmark::ConsoleReporter {
 public:
  MinReporter();

  void ReportRuns(const std::vector<Run>& runs) override;

  /// Nanoseconds by benchmark name.
  const std::map<std::string, double>& best() const { return best_; }

 private:
  std::map<std::string, double> best_;
};

inline MinReporter::MinReporter() : ConsoleReporter{OO_Tabular} {}

inline void MinReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
    const bool wall = run.run_name.time_type == "real_time";  // where other threads work, too
    const double seconds = wall ? run.real_accumulated_time : run.cpu_accumulated_time;
    const double ns = 1e9 * seconds / static_cast<double>(run.iterations);
    const auto [known, is_new] = best_.emplace(run.run_name.function_name, ns);
    if (!is_new && ns < known->second) known->second = ns;
  }
  if (runs.front().repetitions <= 1) ConsoleReporter::ReportRuns(runs);
}

}  // namespace featherline::bench
