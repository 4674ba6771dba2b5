#pragma once

#include "catalog/arguments.hpp"
#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <vector>

namespace featherline::verify {

/// The inputs of a kernel at a state, found by their names. Throws InternalError for a name that no input has.
inline std::vector<std::vector<double>> inputs_of(const ir::Kernel& function, const catalog::State& state) {
  const std::vector<catalog::Argument>& all = catalog::inputs();
  std::vector<std::vector<double>> values;
  for (const ir::Buffer& parameter : function.inputs) {
    const auto input = std::find_if(all.begin(), all.end(),
                                    [&](const catalog::Argument& a) { return a.name == parameter.name; });
    if (input == all.end()) throw InternalError("no state has values for " + parameter.name);
    const Eigen::VectorXd& value = state.*input->in_state;
    values.emplace_back(value.begin(), value.end());
  }
  return values;
}

}  // namespace featherline::verify
