#pragma once

#include "reference/spatial.hpp"

namespace featherline::reference {

/// A = L D L^T of a symmetric positive definite matrix (Golub and Van Loan, Matrix Computations, 4.1.2), without
/// pivots and without conjugation, so that it differentiates when run on complex or dual numbers. A singular A
/// gives infinities or NaNs.
template <class Matrix>
class Ldlt {
 public:
  explicit Ldlt(const Matrix& A) : L_(A) {
    for (Eigen::Index j = 0; j < L_.cols(); ++j) {
      for (Eigen::Index k = 0; k < j; ++k) {
        const auto weight = L_(j, k) * L_(k, k);
        for (Eigen::Index i = j; i < L_.rows(); ++i) L_(i, j) -= L_(i, k) * weight;
      }
      for (Eigen::Index i = j + 1; i < L_.rows(); ++i) L_(i, j) /= L_(j, j);
    }
  }

  /// A^-1 b for one or several right-hand sides.
  template <class Rhs>
  Rhs solve(Rhs b) const {
    const Eigen::Index n = L_.rows();
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = j + 1; i < n; ++i) b.row(i) -= L_(i, j) * b.row(j);
    }
    for (Eigen::Index j = 0; j < n; ++j) b.row(j) /= L_(j, j);
    for (Eigen::Index j = n - 1; j >= 0; --j) {
      for (Eigen::Index i = j + 1; i < n; ++i) b.row(j) -= L_(i, j) * b.row(i);
    }
    return b;
  }

 private:
  Matrix L_;  // strictly below the diagonal L, on it D
};

template <class Matrix>
Matrix inverse(const Matrix& A) {
  return Ldlt<Matrix>(A).template solve<Matrix>(Matrix::Identity(A.rows(), A.cols()));
}

}  // namespace featherline::reference
