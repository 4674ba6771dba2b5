#pragma once

#include <string>
#include <vector>

#include "cost/time.hpp"

namespace featherline::bench {

/// One formulation of a function on one machine: what was counted and how long a call took.
struct Measurement {
  std::string machine, robot, function, formulation;
  double ns = 0;
  double cold_ns = 0;  ///< of a call that finds nothing in the caches; 0 if it was not measured
  cost::Work work;
};

/// What a row measured and what is predicted for it: warm or cold, as the type of the parameters says.
inline double measured(const Measurement& row, const cost::TimeParameters&) { return row.ns; }
inline double measured(const Measurement& row, const cost::ColdParameters&) { return row.cold_ns; }
inline double predicted(const Measurement& row, const cost::TimeParameters& p) {
  return cost::predict_ns(row.work, p);
}
inline double predicted(const Measurement& row, const cost::ColdParameters& p) {
  return cost::predict_cold_ns(row.work, p);
}

/// The rows of a table (times.txt, cold.txt), whose last line of comment names its columns, or of a file that
/// `featherline tune` wrote; of the latter `machine` is its "cpu".
/// Throws std::runtime_error if the file cannot be read.
std::vector<Measurement> read_measurements(const std::string& file);

/// The rows as a table.
std::string print_measurements(const std::vector<Measurement>& rows);

}  // namespace featherline::bench
