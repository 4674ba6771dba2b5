#pragma once

#include "support/reference_values.hpp"

#include <string>
#include <vector>

namespace featherline::test {

/// What a function has to give at a sample: from the values of the file alone, without any code of ours.
struct Expected {
  std::string function;
  std::vector<std::pair<std::string, Eigen::VectorXd>> inputs;
  /// The outputs by name, laid out as emitted; an output that is not here is not compared.
  std::vector<std::pair<std::string, Eigen::VectorXd>> outputs;
};

/// One entry for every function that the file has values for, or values they follow from.
std::vector<Expected> expected_values(const ReferenceFile& file, const ReferenceSample& sample);

}  // namespace featherline::test
