#pragma once

#include <map>
#include <string>
#include <vector>

#include "measurements.hpp"

namespace featherline::bench {

struct Fit {
  cost::TimeParameters parameters;
  std::map<std::string, double> machine_factors;  ///< 1 for the machine of the first row
};

/// Fits the logarithm of the time. All machines have equal weight, and each but the first has a factor of its own.
/// Outliers count less (soft absolute values), and parameters that the rows say nothing about keep their values of
/// `start`.
Fit fit_times(const std::vector<Measurement>& rows, const cost::TimeParameters& start);

/// As the initialiser in generator/cost/time.cpp.
std::string print_parameters(const cost::TimeParameters& parameters);

}  // namespace featherline::bench
