#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"

#include <string>
#include <vector>

namespace featherline::cli {

/// One formulation of a function, as the driver calls it.
struct TimedCall {
  const catalog::FunctionSpec* spec = nullptr;
  std::string robot;      ///< the namespace of the emitted code
  std::string function;   ///< as emitted: the packed form has another name than spec
  std::size_t group = 0;  ///< calls of one group are timed in turn
};

/// The source of a program around the emitted code, called as `driver STATES RESULTS`. It reads the states as those of
/// `check` (check/driver.hpp), and writes for each of `calls` the ns of a call, one on each line.
std::string timing_driver(const model::Tree& tree, const std::string& scalar,
                          const std::vector<TimedCall>& calls);

}  // namespace featherline::cli
