#pragma once

#include "reference/spatial.hpp"

#include <Eigen/Core>

namespace featherline::reference {

/// A = L D L^T of a symmetric positive definite matrix (Golub and Van Loan, Matrix Computations, 4.1.2), without
/// pivots and without conjugation, so that it differentiates when run on complex or dual numbers. A singular A
/// gives infinities or NaNs.
template <class Matrix>
class Ldlt {
 public:
  explicit Ldlt(const Matrix& A) : L_(A) {
    for (Eigen::Index j = 0; j < L_.cols(); ++j) {
      const auto pivot = L_(j, j);
      L_.col(j).tail(L_.rows() - j - 1) /= pivot;
      for (Eigen::Index k = j + 1; k < L_.cols(); ++k) {
        L_.col(k).tail(L_.rows() - k) -= L_.col(j).tail(L_.rows() - k) * (L_(k, j) * pivot);
      }
    }
  }

  /// A^-1 b for one or several right-hand sides. Loops: Eigen's triangular solves bring its blocked matrix products,
  /// for each scalar half of what the solver takes to compile.
  template <class Rhs>
  Rhs solve(Rhs b) const {
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      for (Eigen::Index j = 0; j < L_.cols(); ++j) {
        for (Eigen::Index i = j + 1; i < L_.rows(); ++i) b(i, c) -= L_(i, j) * b(j, c);
      }
      for (Eigen::Index j = L_.cols(); j-- > 0;) {
        b(j, c) /= L_(j, j);
        for (Eigen::Index i = j + 1; i < L_.rows(); ++i) b(j, c) -= L_(i, j) * b(i, c);
      }
    }
    return b;
  }

 private:
  Matrix L_;  // strictly below the diagonal L, on it D
};

template <class Matrix>
Matrix inverse(const Matrix& A) {
  using T = typename Matrix::Scalar;
  if (A.rows() == 1) return Matrix::Constant(1, 1, T(1) / A(0, 0));  // most joints, in aba: 50 -> 10 ns
  return Ldlt<Matrix>(A).template solve<Matrix>(Matrix::Identity(A.rows(), A.cols()));
}

}  // namespace featherline::reference
