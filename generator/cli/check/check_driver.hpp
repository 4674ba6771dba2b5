#pragma once

#include "cli/check/check_plan.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// The driver: a program around the emitted code, called as `driver STATES RESULTS`. It reads states from one file and
/// writes results to the other. Both are files of doubles.
namespace featherline::cli {

/// The state as the driver reads it: q, v, a, tau, b, w.
std::vector<double> flatten(const reference::State& state);

/// Writes the states to the file that the driver reads.
void write_states(const std::filesystem::path& file, const std::vector<reference::State>& states);

/// What a driver declares of the inputs: their sizes, and the struct `Inputs` that says where each begins.
std::string input_types(const model::Tree& tree);

/// The source of the driver. It orders results by function, then by form, then by run of the form, then by state.
std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions);

}  // namespace featherline::cli
