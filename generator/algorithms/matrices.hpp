#pragma once

#include "algorithms/context.hpp"

#include <featherline/algebra/inertia_factor.hpp>

#include <algorithm>

/// Matrices and tensors by degree of freedom. Structural zeros are the number 0 and cost nothing.
namespace featherline::algorithms {

/// n x n, column-major.
class SquareMatrix {
 public:
  explicit SquareMatrix(int n) : n_(n), entries_(index(n) * index(n), Scalar(0.0)) {}

  int size() const { return n_; }
  Scalar& operator()(int row, int column) { return entries_[place(row, column)]; }
  const Scalar& operator()(int row, int column) const { return entries_[place(row, column)]; }
  /// All entries, column by column: the order of the emitted array.
  const Coordinates& column_major() const { return entries_; }
  Scalar* data() { return entries_.data(); }
  const Scalar* data() const { return entries_.data(); }

  Coordinates column(int c) const { return {entries_.begin() + c * n_, entries_.begin() + (c + 1) * n_}; }
  void set_column(int c, const Coordinates& x) {
    for (int r = 0; r < n_; ++r) (*this)(r, c) = x[index(r)];
  }

 private:
  std::size_t place(int row, int column) const { return index(row + n_ * column); }

  int n_;
  Coordinates entries_;
};
using Matrix = SquareMatrix;

/// Adds x to the entry of two axes. Coupled joints share a coordinate, so their entries add up.
template <class Row, class Column>
void add_entry(Context& context, SquareMatrix& A, const Row& row, const Column& column, const Scalar& x) {
  context.add(A(row.idx_v, column.idx_v), row.multiplier * column.multiplier, x);
}
/// The same where A is symmetric, for two axes of different joints.
template <class Row, class Column>
void add_entries(Context& context, SquareMatrix& A, const Row& row, const Column& column, const Scalar& x) {
  add_entry(context, A, row, column, x);
  add_entry(context, A, column, row, x);
}

/// A x.
inline Coordinates operator*(const SquareMatrix& A, const Coordinates& x) {
  Coordinates y(x.size());
  for (int r = 0; r < A.size(); ++r) {
    for (int k = 0; k < A.size(); ++k) y[index(r)] += A(r, k) * x[index(k)];
  }
  return y;
}

/// n x n x n, T(i, j, k) at i + n j + n^2 k.
class Tensor {
 public:
  explicit Tensor(int n) : n_(n), entries_(index(n) * index(n) * index(n), Scalar(0.0)) {}

  Scalar& operator()(int i, int j, int k) { return entries_[place(i, j, k)]; }
  const Coordinates& entries() const { return entries_; }
  Scalar* data() { return entries_.data(); }
  /// T(i, j, k) of all i and j; in `A` column by column.
  SquareMatrix matrix(int k) const {
    SquareMatrix A(n_);
    std::copy_n(&entries_[place(0, 0, k)], n_ * n_, A.data());
    return A;
  }
  void set_matrix(int k, const Coordinates& A) { std::ranges::copy(A, &entries_[place(0, 0, k)]); }

 private:
  std::size_t place(int i, int j, int k) const { return index(i + n_ * (j + n_ * k)); }

  int n_;
  Coordinates entries_;
};

/// A - B, entry by entry.
inline void subtract(Scalar* A, const Coordinates& B) {
  for (std::size_t k = 0; k < B.size(); ++k) A[k] -= B[k];
}

/// M = L^T D L (algebra::factor_inertia). The sparsity of a branching tree needs no bookkeeping: entries of M that
/// are known to be zero are the zeros. Robots with coupled joints have fewer of them.
class SparseFactor {
 public:
  /// `names` labels L and D^-1 by coordinate: L_4_2, Dinv_4; D and D L are D_4 and DL_4_2 where they are printed.
  explicit SparseFactor(const SquareMatrix& M, Context* names = nullptr);

  /// M^-1 b (RBDA table 6.5).
  Coordinates solve(Coordinates b) const { return from_half(half(std::move(b))); }
  /// The same. Where they are printed, entry 4 and what leads to it are x_4_1 and y_4_1 of right side number 1.
  Coordinates solve(const Context& names, Coordinates b, int side) const;
  /// Its two halves: y = L^-T b, and L^-1 D^-1 y. For any b and c, b^T M^-1 c is the product of their y.
  Coordinates half(Coordinates b) const;
  Coordinates from_half(Coordinates y) const;
  Scalar product(const Coordinates& y, const Coordinates& z) const;
  /// D^-1 y: the product of z and y is that of z and this, as vectors.
  Coordinates over_D(Coordinates y) const;
  /// M^-1, full and symmetric.
  SquareMatrix inverse() const;

  /// f(x) of each entry of L and of D^-1, to read or replace it.
  template <class F>
  void each_number(const F& f) {
    for (int k = 0; k < L_.size(); ++k) {
      for (int i = 0; i < k; ++i) f(L_(i, k));
      f(inverse_D_[index(k)]);
    }
  }

 private:
  SquareMatrix L_;  ///< by rows: L_(i, k) is entry i of row k
  Coordinates inverse_D_;
};

}  // namespace featherline::algorithms
