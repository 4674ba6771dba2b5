#pragma once

#include "ir/scalar.hpp"

#include <vector>

namespace featherline::algorithms {

/// Dense n x n symbolic matrix, column-major; structural zeros are the number 0 and cost nothing.
class SquareMatrix {
 public:
  explicit SquareMatrix(int n) : n_(n), entries_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {}

  int size() const { return n_; }
  ir::Scalar& operator()(int row, int column) { return entries_[index(row, column)]; }
  const ir::Scalar& operator()(int row, int column) const { return entries_[index(row, column)]; }
  /// All entries, column by column: the order of the emitted array.
  const std::vector<ir::Scalar>& column_major() const { return entries_; }

 private:
  std::size_t index(int row, int column) const { return static_cast<std::size_t>(row + n_ * column); }

  int n_;
  std::vector<ir::Scalar> entries_;
};

/// Entry (row, column) of A B.
inline ir::Scalar entry_of_product(const SquareMatrix& A, int row, const SquareMatrix& B, int column) {
  ir::Scalar sum = 0.0;
  for (int k = 0; k < A.size(); ++k) sum += A(row, k) * B(k, column);
  return sum;
}

inline SquareMatrix operator*(const SquareMatrix& A, const SquareMatrix& B) {
  SquareMatrix C(A.size());
  for (int c = 0; c < A.size(); ++c) {
    for (int r = 0; r < A.size(); ++r) C(r, c) = entry_of_product(A, r, B, c);
  }
  return C;
}

inline SquareMatrix operator-(const SquareMatrix& A) {
  SquareMatrix negative(A.size());
  for (int c = 0; c < A.size(); ++c) {
    for (int r = 0; r < A.size(); ++r) negative(r, c) = -A(r, c);
  }
  return negative;
}

}  // namespace featherline::algorithms
