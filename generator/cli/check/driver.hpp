#pragma once

#include "cli/check/plan.hpp"

#include <string>
#include <vector>

/// The driver: a program around the emitted code, called as `driver STATES RESULTS`. It reads states from one file and
/// writes results to the other. Both are files of doubles.
namespace featherline::cli {

/// The state as the driver reads it: q, v, a, tau, b, w.
std::vector<double> flatten(const reference::State& state);

/// The source of the driver. It orders results by function, then by form, then by run of the form, then by state.
std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions);

}  // namespace featherline::cli
