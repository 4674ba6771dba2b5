#pragma once

#include <Eigen/Core>

/// Dense linear algebra on matrices of any size, compiled once: Eigen compiles a factorisation anew in each source that
/// calls it, which takes seconds.
namespace featherline::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// X with A X = B, for A symmetric and positive definite.
MatrixXd solve_definite(const MatrixXd& A, const MatrixXd& B);
/// The least X of those with the least |A X - B|.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B);
MatrixXd inverse(const MatrixXd& A);
/// Number of pivots above `threshold` times the largest.
Eigen::Index rank(const MatrixXd& A, double threshold);

/// Of a symmetric matrix, the least first.
VectorXd eigenvalues(const MatrixXd& A);
/// S with S S = A, for A symmetric and positive definite.
MatrixXd square_root(const MatrixXd& A);

}  // namespace featherline::test
