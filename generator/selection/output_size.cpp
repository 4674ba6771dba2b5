#include "selection/output_size.hpp"

#include "catalog/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline {
namespace {

constexpr double most_entries = 8e6;

/// Entries of the largest array, packed or not.
double largest_array(const catalog::FunctionSpec& function, const model::Tree& tree) {
  const double nv = tree.nv;
  double entries = function.inverts_inertia ? nv * nv : nv;
  for (const catalog::Argument& output : function.outputs)
    entries = std::max(entries, static_cast<double>(output.shape.size(tree.nq, tree.nv)));
  return entries;
}

}  // namespace

void refuse_oversized_outputs(const std::vector<std::string>& functions, const model::Tree& tree,
                              const std::string& file, Diagnostics& findings) {
  std::vector<std::string> oversized;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    if (largest_array(function, tree) <= most_entries) continue;
    for (const std::string& name : {function.name, packed_name(function)}) {
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
