#pragma once

#include "cli/check/plan.hpp"

#include <string>
#include <vector>

/// A program around the emitted code, `driver STATES RESULTS`: states in, results out, both as files of doubles.
namespace featherline::cli {

/// The state as the driver reads it: q, v, a, tau, b, w.
std::vector<double> flatten(const reference::State& state);

/// Source of the driver. Results are in the order of functions, their forms, the runs of a form, and states.
std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions);

}  // namespace featherline::cli
