#include "min_reporter.hpp"

namespace featherline::bench {

MinReporter::MinReporter() : ConsoleReporter{OO_Tabular} {}

void MinReporter::ReportRuns(const std::vector<Run>& runs) {
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
