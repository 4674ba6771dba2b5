#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

namespace featherline::bench {

/// Google Benchmark's console output, and the shortest CPU time per iteration over all repetitions. The
/// shortest, because what disturbs a measurement on a shared machine only ever makes it longer.
class MinReporter : public benchmark::ConsoleReporter {
 public:
  MinReporter();

  void ReportRuns(const std::vector<Run>& runs) override;

  /// Nanoseconds by benchmark name.
  const std::map<std::string, double>& best() const { return best_; }

 private:
  std::map<std::string, double> best_;
};

}  // namespace featherline::bench
