#pragma once

#include "expr/scalar.hpp"

#include <vector>

namespace featherline::algorithms {

/// Dense n x n symbolic matrix, column-major; structural zeros are the number 0 and cost nothing.
class SquareMatrix {
 public:
  explicit SquareMatrix(int n) : n_(n), entries_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {}

  int size() const { return n_; }
  expr::Scalar& operator()(int row, int column) { return entries_[index(row, column)]; }
  const expr::Scalar& operator()(int row, int column) const { return entries_[index(row, column)]; }
  /// All entries, column by column: the order of the emitted array.
  const std::vector<expr::Scalar>& column_major() const { return entries_; }

 private:
  std::size_t index(int row, int column) const { return static_cast<std::size_t>(row + n_ * column); }

  int n_;
  std::vector<expr::Scalar> entries_;
};

}  // namespace featherline::algorithms
