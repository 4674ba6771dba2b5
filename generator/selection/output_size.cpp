#include "selection/output_size.hpp"

#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline {
namespace {

constexpr double most_entries = 8e6;

/// What grows with nv in a shape: nv^2 for "nv x nv, column-major", 4 nv^2 for "2*nv x 2*nv".
double num_entries(const std::string& whole_shape, double nv) {
  const std::string shape = whole_shape.substr(0, whole_shape.find(','));
  double entries = 1.0;
  for (std::size_t at = shape.find("nv"); at != std::string::npos; at = shape.find("nv", at + 2)) {
    const bool doubled = at >= 2 && shape.compare(at - 2, 2, "2*") == 0;
    entries *= doubled ? 2.0 * nv : nv;
  }
  return entries;
}

/// Entries of the largest array that grows with nv, packed or not.
double largest_array(const algorithms::Algorithm& algorithm, double nv) {
  double entries = algorithm.inverts_inertia ? nv * nv : nv;
  for (const algorithms::Argument& output : algorithm.outputs)
    entries = std::max(entries, num_entries(output.shape, nv));
  return entries;
}

}  // namespace

void refuse_oversized_outputs(const std::vector<std::string>& functions, const model::Tree& tree,
                              const std::string& file, Diagnostics& findings) {
  std::vector<std::string> oversized;
  for (const algorithms::Algorithm& algorithm : algorithms::registry()) {
    if (largest_array(algorithm, tree.nv) <= most_entries) continue;
    for (const std::string& name : {algorithm.name, packed_name(algorithm)}) {
      if (std::find(functions.begin(), functions.end(), name) != functions.end()) oversized.push_back(name);
    }
  }
  if (oversized.empty()) return;
  findings.error(
      {file, 0, "robot"},
      fmt::format("the robot has {} degrees of freedom; arrays of more than 8 million entries would be "
                  "needed for {}",
                  tree.nv, fmt::join(oversized, ", ")),
      "ask for other functions (--functions rnea), or make joints fixed");
}

}  // namespace featherline
