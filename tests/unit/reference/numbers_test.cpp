// The scalars and the solver that derivatives pass through.
#include "reference/algebra.hpp"
#include "reference/hyper_dual.hpp"
#include "support/random.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>
#include <Eigen/LU>

using namespace featherline;
using Number = reference::HyperDual<double>;

namespace {

/// A function of every operation, and its derivatives by hand.
template <class T>
T sample(const T& x) {
  using std::cos;
  using std::sin;
  T y = x * sin(x) - cos(T(2.0) * x) / (x + T(3.0));
  y += x;
  y *= T(2.0);
  y -= T(1.0);
  y /= T(4.0);
  return -y;
}

double sample_first(double x) {
  const double quotient =
      (-2.0 * std::sin(2.0 * x) * (x + 3.0) - std::cos(2.0 * x)) / ((x + 3.0) * (x + 3.0));
  return -0.5 * (std::sin(x) + x * std::cos(x) - quotient + 1.0);
}

double sample_second(double x) {
  const double d = x + 3.0;
  const double numerator = -2.0 * std::sin(2.0 * x) * d - std::cos(2.0 * x);
  const double numerator_first = -4.0 * std::cos(2.0 * x) * d;
  const double quotient = numerator_first / (d * d) - 2.0 * numerator / (d * d * d);
  return -0.5 * (2.0 * std::cos(x) - x * std::sin(x) - quotient);
}

}  // namespace

TEST_CASE("hyper-dual numbers give exact first and second derivatives") {
  for (const double x : {-1.3, 0.0, 0.4, 2.7}) {
    CAPTURE(x);
    const Number y = sample(Number(x, 1.0, 2.0, 0.0));
    CHECK(y.re == sample(x));
    CHECK(y.d1 == doctest::Approx(sample_first(x)).epsilon(1e-14));
    CHECK(y.d2 == doctest::Approx(2.0 * sample_first(x)).epsilon(1e-14));
    CHECK(y.d12 == doctest::Approx(2.0 * sample_second(x)).epsilon(1e-14));
    const Number bent = sample(Number(x, 1.0, 2.0, 3.0));
    CHECK(bent.d12 == doctest::Approx(2.0 * sample_second(x) + 3.0 * sample_first(x)).epsilon(1e-14));
    const Number root = sqrt(Number(x * x + 1.0, 2.0 * x, 2.0 * x, 2.0));  // of x^2 + 1 along x twice
    CHECK(root.d1 == doctest::Approx(x / std::sqrt(x * x + 1.0)).epsilon(1e-14));
    CHECK(root.d12 == doctest::Approx(std::pow(x * x + 1.0, -1.5)).epsilon(1e-14));
  }
}

TEST_CASE("L D L^T solves and inverts, and differentiates where it is run on hyper-dual numbers") {
  test::Random random(11);
  for (int n = 1; n <= 12; ++n) {
    Eigen::MatrixXd B(n, n), C(n, n);
    for (int j = 0; j < n; ++j) {
      B.col(j) = random.vector(n, 1.0);
      C.col(j) = random.vector(n, 1.0);
    }
    const Eigen::MatrixXd A = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd dA = C + C.transpose();
    const Eigen::VectorXd b = random.vector(n, 1.0);
    const Eigen::MatrixXd expected = A.inverse();
    CHECK(test::relative_error(reference::inverse(A), expected) <= 1e-13);
    CHECK(test::relative_error(reference::Ldlt<Eigen::MatrixXd>(A).solve(b), expected * b) <= 1e-13);
    const reference::MatrixX<Number> moved = A.cast<Number>() + dA.cast<Number>() * Number::e1();
    const Eigen::MatrixXd derivative = part(reference::inverse(moved), &Number::d1);
    CHECK(test::relative_error(derivative, -expected * dA * expected) <= 1e-12);
  }
}
