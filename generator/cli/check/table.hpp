#pragma once

#include "cli/check/comparison.hpp"
#include "model/tree.hpp"

#include <iosfwd>
#include <vector>

namespace featherline::cli {

/// A line for each row, and below what the columns mean; whether every row agrees.
bool print_table(const std::vector<Row>& rows, const model::Tree& tree, std::ostream& out);

}  // namespace featherline::cli
