#pragma once

#include <string>
#include <vector>

#include "cost/estimate.hpp"

namespace featherline::bench {

/// What g++ made of a function, and what cost::count_instructions() counts of it.
struct SizeRow {
  cost::Target target;
  std::string robot, function;
  int code = 0, stack = 0;  ///< bytes, as `featherline check --size` measures them
  cost::InstructionCounts counts;

  int estimated_code() const { return cost::code_bytes(counts, target); }
  int estimated_stack() const { return cost::stack_bytes(counts, target); }
};

/// Throws std::runtime_error if there is none.
cost::Target target_named(const std::string& name);

/// The rows of a table (sizes.txt). Throws std::runtime_error if the file cannot be read.
std::vector<SizeRow> read_sizes(const std::string& file);
std::vector<SizeRow> of_target(const std::vector<SizeRow>& rows, cost::Target target);

std::string size_header();
std::string print_row(const SizeRow& row);

/// How far the estimates lie from what was measured, as a line of text, and the rows beyond -5 % and +25 %.
std::string print_size_errors(const std::vector<SizeRow>& rows);

/// By how much an estimate is too high, of what was measured; 0 where both are 0.
double size_error(int estimated, int measured);

}  // namespace featherline::bench
