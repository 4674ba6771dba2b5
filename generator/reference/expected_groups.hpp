#pragma once

#include "reference/expected.hpp"

#include <Eigen/Core>

/// The parts of what expected.hpp knows, and what they share.
namespace featherline::reference {

inline void append(std::vector<double>& values, const Eigen::MatrixXd& more) {
  values.insert(values.end(), more.data(), more.data() + more.size());  // Eigen is column-major, too
}
inline OutputArray array(const std::string& name, const Eigen::MatrixXd& values) {
  return {name, {values.data(), values.data() + values.size()}};
}

std::vector<OutputFunction> expected_frames();
std::vector<OutputFunction> expected_whole_body();
std::vector<OutputFunction> expected_tangent();
std::vector<OutputFunction> expected_constraints();

}  // namespace featherline::reference
