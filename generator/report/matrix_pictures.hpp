#pragma once

#include "report/zero_patterns.hpp"

#include <string>
#include <vector>

namespace featherline::report {

/// A picture for each matrix that has structural zeros, and a sentence about those that have none.
std::string matrix_pictures(const std::vector<Matrix>& matrices);

}  // namespace featherline::report
