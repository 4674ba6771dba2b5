#include "support/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace featherline::test {

MatrixXd solve_definite(const MatrixXd& A, const MatrixXd& B) { return A.ldlt().solve(B); }

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return A.completeOrthogonalDecomposition().solve(B);
}

MatrixXd inverse(const MatrixXd& A) { return A.inverse(); }

Eigen::Index rank(const MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(threshold);
  return qr.rank();
}

VectorXd eigenvalues(const MatrixXd& A) { return Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues(); }

MatrixXd square_root(const MatrixXd& A) { return Eigen::SelfAdjointEigenSolver<MatrixXd>(A).operatorSqrt(); }

}  // namespace featherline::test
