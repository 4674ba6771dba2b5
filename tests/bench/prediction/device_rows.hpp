#pragma once

#include <string>
#include <vector>

#include "cost/device.hpp"

namespace featherline::bench {

/// What nvcc and ptxas made of a formulation for sm_90, states by element,
/// and what cost::count_for_device() counts of it.
struct DeviceRow {
  std::string robot, function, formulation, scalar;
  int registers = 0, spilled = 0;  ///< bytes of spill stores
  int instructions = 0;            ///< of the code, which has no loops
  double ns = 0;                   ///< of a state, on an H100; 0: not measured
  cost::DeviceCounts counts = {};

  int bytes() const { return cost::scalar_bytes(scalar); }
  cost::DeviceFigures estimated() const { return cost::estimate(counts, bytes()); }
};

/// The rows of a table (device.txt). Throws std::runtime_error if the file cannot be read.
std::vector<DeviceRow> read_device_rows(const std::string& file);
std::string print_row(const DeviceRow& row);

/// Root mean squares of the logarithms of what is estimated over what was measured: of instructions in all rows, of
/// registers where nothing is spilled, and of times where one was measured.
struct DeviceErrors {
  double registers = 0, instructions = 0, ns = 0;
  /// How much longer the chosen formulation takes than the fastest one: the mean, and the worst. Of those with a thread
  /// a state the one with the fewest operations may be chosen, of those with a thread a limb the one with the fewest
  /// values alive; cost::is_worth_threads_of_limbs() decides between the two.
  double mean_loss = 0, worst_loss = 0;
  int choices = 0;
};
DeviceErrors device_errors(const std::vector<DeviceRow>& rows);
std::string print_device_errors(const DeviceErrors& errors);

}  // namespace featherline::bench
