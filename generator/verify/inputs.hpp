#pragma once

#include "ir/function.hpp"
#include "reference/outputs.hpp"

#include <map>
#include <string>
#include <vector>

namespace featherline::verify {

/// What a traced function reads at a state, by its parameters' names. Throws std::out_of_range for a name that is none
/// of the state's.
inline std::vector<std::vector<double>> inputs_of(const ir::Function& function, const reference::State& x) {
  const std::map<std::string, const Eigen::VectorXd*> values{{"q", &x.q},     {"v", &x.v}, {"a", &x.a},
                                                             {"tau", &x.tau}, {"b", &x.b}, {"w", &x.w}};
  std::vector<std::vector<double>> inputs;
  for (const ir::Parameter& input : function.inputs) {
    const Eigen::VectorXd& value = *values.at(input.name);
    inputs.emplace_back(value.begin(), value.end());
  }
  return inputs;
}

}  // namespace featherline::verify
