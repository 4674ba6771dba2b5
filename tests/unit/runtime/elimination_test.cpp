// Elimination against Eigen: all sizes in rooms of one and of many vectors, with and without exchanges of rows.
#include <doctest/doctest.h>

#include <featherline/detail/elimination.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <limits>
#include <random>

namespace featherline::test {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

std::mt19937 random_engine(11);

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns) {
  std::uniform_real_distribution<> uniform(-1.0, 1.0);
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random_engine); });
}

template <int most, class S>
void put(const Matrix& A, detail::Elimination<most, S>& system) {
  system.size = static_cast<int>(A.rows());
  for (int r = 0; r < system.size; ++r) {
    S* row = system.row(r);
    for (int c = 0; c < system.size; ++c) row[c] = static_cast<S>(A(r, c));
  }
}

template <int most, class S>
Vector solved(const detail::Elimination<most, S>& system, const Vector& b) {
  S x[detail::Elimination<most, S>::stride];
  // What solve() does not fill must not matter.
  for (S& entry : x) entry = std::numeric_limits<S>::quiet_NaN();
  for (Eigen::Index i = 0; i < b.size(); ++i) x[i] = static_cast<S>(b[i]);
  system.solve(x);
  return Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>>(x, b.size()).template cast<double>();
}

/// The largest error of A x = b over many sizes, as a part of x and the condition of A.
template <int most, class S, class Make>
double worst_error(const Make& make) {
  static detail::Elimination<most, S> system;
  double worst = 0.0;
  for (int size = 1; size <= most; ++size) {
    const Matrix A = Matrix(make(size)).cast<S>().template cast<double>();
    put(A, system);
    CHECK(system.factorise(S(0.0)));
    const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto values = svd.singularValues();
    const double condition = values[0] / values[size - 1];
    const auto compare = [&](const Vector& x, const Vector& b) {
      const Vector expected = svd.solve(b);
      worst = std::max(worst, (x - expected).norm() / (condition * expected.norm()));
    };
    for (int again = 0; again < 3; ++again) {
      const Vector b = random_matrix(size, 1).cast<S>().template cast<double>();
      compare(solved(system, b), b);
    }
    constexpr int columns = 5;
    const Matrix B = random_matrix(size, columns).cast<S>().template cast<double>();
    S X[most][columns];
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < columns; ++c) X[r][c] = static_cast<S>(B(r, c));
    }
    system.template solve<columns>(X);
    for (int c = 0; c < columns; ++c) {
      Vector x(size);
      for (int r = 0; r < size; ++r) x[r] = static_cast<double>(X[r][c]);
      compare(x, B.col(c));
    }
  }
  return worst;
}

Matrix positive(int size) {
  const Matrix J = random_matrix(size, size);
  return J * J.transpose() + Matrix::Identity(size, size);
}
/// Nothing on the diagonal: each row has to be exchanged, but for a matrix of one row.
Matrix without_diagonal(int size) {
  Matrix A = random_matrix(size, size);
  if (size > 1) A.diagonal().setZero();
  return A;
}

TEST_CASE_TEMPLATE("systems of 1 to 39 rows are solved as Eigen solves them", S, double, float) {
  const double most = 100.0 * static_cast<double>(std::numeric_limits<S>::epsilon());
  CHECK(worst_error<39, S>(positive) < most);
  CHECK(worst_error<39, S>(without_diagonal) < most);
  CHECK(worst_error<3, S>(without_diagonal) < most);
}

TEST_CASE("pivots of zero give zeros") {
  // Rows and columns 1 and 4 are empty.
  constexpr int size = 6;
  Matrix A = positive(size);
  for (const int empty : {1, 4}) A.row(empty) = A.col(empty).transpose().setZero();
  static detail::Elimination<size, double> system;
  put(A, system);
  CHECK(system.factorise(0.0));
  const Vector b = random_matrix(size, 1), x = solved(system, b);
  CHECK(x[1] == 0.0);
  CHECK(x[4] == 0.0);
  Vector left = A * x - b;
  left[1] = left[4] = 0.0;
  CHECK(left.norm() < 1e-12);
  put(A, system);
  CHECK_FALSE(system.factorise(1e-7));
}

TEST_CASE("a row that others give is found, though an exchange of rows would hide it") {
  static detail::Elimination<12, double> system;
  for (int k = 0; k < 100; ++k) {
    Matrix J = random_matrix(12, 12);
    put(Matrix(J * J.transpose() + 0.1 * Matrix::Identity(12, 12)), system);
    CHECK(system.factorise(1e-7));
    J.row(5) = J.row(2) + 1e-5 * J.row(5);
    put(Matrix(J * J.transpose()), system);
    CHECK_FALSE(system.factorise(1e-7));
  }
}

}  // namespace
}  // namespace featherline::test
