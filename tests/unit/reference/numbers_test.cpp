#include "reference/algebra.hpp"
#include "reference/expected.hpp"
#include "reference/hyper_dual.hpp"
#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

// The measure of error that the README promises.

using namespace featherline;
using reference::array_error;
using Numbers = std::vector<double>;

TEST_CASE("errors are relative to the largest magnitude of the reference, and to no less than 1") {
  CHECK(array_error(Numbers{-1e3, 0.5}, Numbers{-1e3, 0.0}).relative == doctest::Approx(5e-4));
  CHECK(array_error(Numbers{1e3, 0.5}, Numbers{0.0, 0.5}).relative ==
        doctest::Approx(1e3));  // not to what was found
  CHECK(array_error(Numbers{0.25}, Numbers{0.5}).relative == doctest::Approx(0.25));
  CHECK(array_error(Numbers{0.25}, Numbers{0.5}, 1e-3).relative == doctest::Approx(0.5));
  CHECK(array_error(Numbers{}, Numbers{}).relative == 0.0);
  CHECK(array_error(Numbers{1.0, 2.0, 3.5}, Numbers{1.0, 2.1, 3.0}).entry == 2);
}

TEST_CASE("what is not a number is an infinite error, on either side") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(array_error(Numbers{1.0, bad}, Numbers{1.0, 2.0}).relative == infinity);
    CHECK(array_error(Numbers{1.0, 2.0}, Numbers{1.0, bad}).relative == infinity);
    CHECK(array_error(Numbers{bad, 2.0}, Numbers{bad, 2.0}).entry == 0);
  }
}

TEST_CASE("the tests' measure of matrices is the same one") {
  const Eigen::Matrix2d x{{1.0, 2.0}, {3.0, 7.0}}, reference{{1.0, 2.0}, {3.0, 8.0}};
  CHECK(test::relative_error(x, reference) == 0.125);
  CHECK(test::relative_error(x.transpose(), reference.transpose()) == 0.125);
  CHECK(test::relative_error(x.row(1).transpose(), reference.row(1).transpose()) == 0.125);
  CHECK(test::relative_error(x, reference.leftCols(1)) == HUGE_VAL);
}

// The scalars and the solver that derivatives pass through.

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
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n), A = B * B.transpose() + one;
    const Eigen::MatrixXd dA = C + C.transpose();
    const Eigen::VectorXd b = random.vector(n, 1.0);
    const Eigen::MatrixXd expected = test::inverse(A);
    CHECK(test::relative_error(reference::solve_definite<double>(A, one), expected) <= 1e-13);
    CHECK(test::relative_error(reference::solve_definite<double>(A, b), expected * b) <= 1e-13);
    const reference::MatrixX<Number> moved = A.cast<Number>() + dA.cast<Number>() * Number::e1();
    const reference::MatrixX<Number> inverse = reference::solve_definite<Number>(moved, one.cast<Number>());
    const Eigen::MatrixXd derivative = part(inverse, &Number::d1);
    CHECK(test::relative_error(derivative, -expected * dA * expected) <= 1e-12);
  }
}
