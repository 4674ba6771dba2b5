// Ten numbers without bounds for the inertial parameters of a body: by the definition in matrices, complex steps, and
// back.
#include <featherline/log_cholesky_c.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/LU>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>

namespace {

using Eigen::Matrix4d;
using Ten = Eigen::Matrix<double, 10, 1>;

Ten random_ten(std::mt19937& random) {
  std::uniform_real_distribution<> distribution(-1.5, 1.5);
  return Ten::NullaryExpr([&] { return distribution(random); });
}

Ten inertia(const Ten& theta) {
  Ten pi;
  featherline::inertia_from_log_cholesky(theta.data(), pi.data());
  return pi;
}

/// [Sigma, m c; (m c)^T, m].
Matrix4d pseudo_inertia(const Ten& pi) {
  Eigen::Matrix3d I;
  I << pi[4], pi[5], pi[7], pi[5], pi[6], pi[8], pi[7], pi[8], pi[9];
  Matrix4d P;
  P.topLeftCorner<3, 3>() = I.trace() / 2.0 * Eigen::Matrix3d::Identity() - I;
  P.topRightCorner<3, 1>() = pi.segment<3>(1);
  P.bottomLeftCorner<1, 3>() = pi.segment<3>(1).transpose();
  P(3, 3) = pi[0];
  return P;
}

}  // namespace

TEST_CASE("the pseudo-inertia of any ten numbers is U U^T, and positive definite") {
  std::mt19937 random(1);
  for (int k = 0; k < 50; ++k) {
    const Ten x = random_ten(random);
    Matrix4d U;
    U << std::exp(x[1]), x[4], x[6], x[7], 0, std::exp(x[2]), x[5], x[8], 0, 0, std::exp(x[3]), x[9], 0, 0, 0,
        1;
    U *= std::exp(x[0]);
    const Matrix4d P = pseudo_inertia(inertia(x)), expected = U * U.transpose();
    CHECK((P - expected).norm() <= 1e-14 * expected.norm());
    CHECK(P(0, 0) > 0.0);
    CHECK(P.topLeftCorner<2, 2>().determinant() > 0.0);
    CHECK(P.topLeftCorner<3, 3>().determinant() > 0.0);
    CHECK(P.determinant() > 0.0);
  }
}

TEST_CASE("the derivative is that of complex steps") {
  constexpr double step = 1e-100;
  std::mt19937 random(2);
  for (int k = 0; k < 20; ++k) {
    const Ten theta = random_ten(random);
    Eigen::Matrix<double, 10, 10> D, expected;
    featherline::inertia_from_log_cholesky_derivative(theta.data(), D.data());
    for (int j = 0; j < 10; ++j) {
      Eigen::Matrix<std::complex<double>, 10, 1> moved = theta.cast<std::complex<double>>(), pi;
      moved[j] += std::complex<double>(0.0, step);
      featherline::inertia_from_log_cholesky(moved.data(), pi.data());
      expected.col(j) = pi.imag() / step;
    }
    CHECK((D - expected).cwiseAbs().maxCoeff() <= 1e-14 * expected.cwiseAbs().maxCoeff());
    Ten in_c;
    Eigen::Matrix<double, 10, 10> D_in_c;
    featherline_inertia_from_log_cholesky(theta.data(), in_c.data());
    featherline_inertia_from_log_cholesky_derivative(theta.data(), D_in_c.data());
    CHECK(in_c == inertia(theta));
    CHECK(D_in_c == D);
  }
}

TEST_CASE("there and back, and bodies that cannot exist are refused") {
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    const Ten theta = random_ten(random), pi = inertia(theta);
    Ten back, unchanged = Ten::Constant(7.0);
    REQUIRE(featherline::log_cholesky_from_inertia(pi.data(), back.data()));
    CHECK((inertia(back) - pi).norm() <= 1e-14 * pi.norm());
    CHECK((back - theta).cwiseAbs().maxCoeff() <= 1e-9);
    // Any of these leaves the cone: no mass, a moment above the sum of the two others, nothing known.
    for (const auto& [entry, value] : {std::pair{0, -pi[0]},
                                       {4, pi[6] + pi[9] + 1.0},
                                       {6, pi[4] + pi[9] + 1.0},
                                       {9, pi[4] + pi[6] + 1.0},
                                       {0, 0.0},
                                       {5, std::numeric_limits<double>::quiet_NaN()}}) {
      Ten wrong = pi;
      wrong[entry] = value;
      CHECK(featherline_log_cholesky_from_inertia(wrong.data(), unchanged.data()) == 0);
      CHECK(unchanged == Ten::Constant(7.0));
    }
  }
}
