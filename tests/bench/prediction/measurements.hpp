#pragma once

#include <string>
#include <vector>

#include "cost/time.hpp"

namespace featherline::bench {

/// One formulation of a function on one machine: what was counted and how long a call took.
struct Measurement {
  std::string machine, robot, function, formulation;
  double ns = 0;
  cost::Work work;
};

/// The rows of a table (times.txt) or of a file that `featherline tune` wrote; of the latter `machine` is its "cpu".
/// Throws std::runtime_error if the file cannot be read.
std::vector<Measurement> read_measurements(const std::string& file);

/// The rows as a table.
std::string print_measurements(const std::vector<Measurement>& rows);

}  // namespace featherline::bench
