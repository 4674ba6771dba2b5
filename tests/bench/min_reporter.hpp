#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

namespace featherline::bench {

/// The shortest CPU time (elapsed time, where a benchmark asks for that) per iteration over all repetitions: what
/// disturbs a measurement on a shared machine only ever makes it longer. Where nothing is repeated the runs appear on the console as usual.
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
