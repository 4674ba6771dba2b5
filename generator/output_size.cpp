#include "output_size.hpp"

#include "algorithms/registry.hpp"

#include <algorithm>
#include <cmath>

namespace featherline {
namespace {

constexpr double most_entries = 8e6;

/// How often nv stands in a shape: 2 for "nv x nv, column-major".
int power_of_nv(const std::string& whole_shape) {
  const std::string shape = whole_shape.substr(0, whole_shape.find(','));
  int power = 0;
  for (std::size_t at = shape.find("nv"); at != std::string::npos; at = shape.find("nv", at + 2)) ++power;
  return power;
}

/// Entries of the largest array that grows with a power of nv, packed or not.
double largest_array(const algorithms::Algorithm& algorithm, int nv) {
  int power = algorithm.inverts_inertia ? 2 : 1;
  for (const algorithms::Argument& output : algorithm.outputs)
    power = std::max(power, power_of_nv(output.shape));
  return std::pow(nv, power);
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
  std::string names;
  for (const std::string& name : oversized) names += (names.empty() ? "" : ", ") + name;
  findings.error({file, 0, "robot"},
                 "the robot has " + std::to_string(tree.nv) +
                     " degrees of freedom; arrays of more than 8 million entries would be needed for " +
                     names,
                 "ask for other functions (--functions rnea), or make joints fixed");
}

}  // namespace featherline
