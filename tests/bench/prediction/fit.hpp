#pragma once

#include <map>
#include <string>
#include <vector>

#include "device_rows.hpp"
#include "executed.hpp"
#include "measurements.hpp"
#include "sizes.hpp"

namespace featherline::bench {

template <class Parameters>
struct Fit {
  Parameters parameters;
  std::map<std::string, double> machine_factors;  ///< 1 for the machine of the first row
};

/// Fits the logarithm of the time. All machines have equal weight, and each but the first has a factor of its own.
/// Outliers count less (soft absolute values), and parameters that the rows say nothing about keep their values of
/// `start`.
/// Warm times with cost::TimeParameters, cold ones with cost::ColdParameters.
template <class Parameters>
Fit<Parameters> fit_times(const std::vector<Measurement>& rows, const Parameters& start);

/// An estimate of code should be too high rather than too low, so it aims at so many times the measured bytes.
inline constexpr double code_aim = 1.09;
/// Fits the logarithm of the bytes. Errors count by their sixth power, for the largest is what a limit has to allow
/// for.
std::vector<cost::Term> fit_code(const std::vector<SizeRow>& rows, cost::Target target);

/// Fits the logarithm of the cycles.
std::vector<cost::Term> fit_cycles(const std::vector<CycleRow>& rows, cost::Target target);

/// Fits the logarithm of the instructions of a scalar of so many bytes.
std::vector<cost::Term> fit_device_code(const std::vector<DeviceRow>& rows, int scalar_bytes);
/// Fits the logarithm of the time. Outliers count less.
std::vector<cost::Term> fit_device_time(const std::vector<DeviceRow>& rows);

/// As the tables in generator/cost/sizes.cpp and cycles.cpp.
std::string print_terms(const std::vector<cost::Term>& terms);

/// As the initialiser in generator/cost/time.cpp.
template <class Parameters>
std::string print_parameters(const Parameters& parameters);

}  // namespace featherline::bench
