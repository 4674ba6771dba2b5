#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cost/estimate.hpp"

namespace featherline::bench {

/// The instructions that a call of an emitted function executes on a Cortex-M, read from the assembly text that g++
/// makes. Functions of the same text that it calls are among them, but not sincos and not memset. A loop runs
/// `loop_runs` times, and other conditional branches are not taken: they leave early where there is nothing to do.
std::vector<std::string> executed_instructions(const std::string& assembly, const std::string& function,
                                               int loop_runs);

/// The cycles of these instructions by llvm-mca, which reads them from a file in `folder`. Throws std::runtime_error if
/// llvm-mca is not there or does not know one of them.
int mca_cycles(const std::vector<std::string>& instructions, cost::Target target,
               const std::filesystem::path& folder);

/// What a call executes, and what cost::cycle_counts() counts of it.
struct CycleRow {
  cost::Target target;
  std::string robot, function;
  int cycles = 0;        ///< of llvm-mca, without sincos and memset
  int instructions = 0;  ///< executed
  std::vector<double> counts;

  double predicted() const { return cost::weighted_sum(cost::cycle_terms(target), counts); }
};

/// The rows of a table (cycles.txt) for the target. Throws std::runtime_error if the file cannot be read.
std::vector<CycleRow> read_cycles(const std::string& file, cost::Target target);

std::string cycle_header();
std::string print_row(const CycleRow& row);
/// How far the predictions lie from llvm-mca's cycles, and the rows beyond 15 %.
std::string print_cycle_errors(const std::vector<CycleRow>& rows);

}  // namespace featherline::bench
