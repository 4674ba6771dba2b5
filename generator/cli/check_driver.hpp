#pragma once

#include "algorithms/registry.hpp"
#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// A program around the emitted code, `driver STATES RESULTS COUNT`: states in, results out, both as files of doubles.
namespace featherline::cli {

/// A function under test.
struct CheckedFunction {
  std::string name;     ///< as emitted
  bool packed = false;  ///< its outputs are spread into dense arrays before they are compared
  const algorithms::Algorithm* algorithm = nullptr;
  const reference::OutputFunction* reference = nullptr;
  int states = 0;                  ///< how many it is compared at
  std::vector<std::size_t> sizes;  ///< of its dense output arrays

  std::size_t total_size() const;
};

/// The state as the driver reads it: q, v, a, tau, b.
std::vector<double> flatten(const reference::State& state);

/// Source of the driver: for each state, all outputs of all functions in order.
std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions);

}  // namespace featherline::cli
