// Stumpff's functions against their series in long double, and in scalars that bring their own functions.
#include <doctest/doctest.h>
#include <featherline/stumpff.hpp>

#include <cmath>
#include <complex>
#include <limits>

namespace {

long double exact(int k, long double x) {
  long double term = 1.0L;
  for (int i = 2; i <= k; ++i) term /= i;
  long double sum = term;
  for (int j = 1; j < 40; ++j) sum += term *= -x / ((k + 2 * j - 1.0L) * (k + 2 * j));
  return sum;
}

template <class S>
void check_errors(S bound) {
  for (S x = S(0.0); x < S(12.0); x += S(0.0117)) {
    CHECK(std::abs(featherline::stumpff_0(x) - exact(0, x)) <= bound);
    CHECK(std::abs(featherline::stumpff_1(x) - exact(1, x)) <= bound);
    CHECK(std::abs(featherline::stumpff_3(x) - exact(3, x)) <= bound);
  }
}

}  // namespace

TEST_CASE("Stumpff's functions are exact to rounding on both sides of the end of the series") {
  check_errors(3e-16);
  check_errors(1.5e-7F);
  const double end = featherline::detail::longest_series;
  for (const double x : {end, std::nextafter(end, 1.0)})
    CHECK(std::abs(featherline::stumpff_3(x) - exact(3, x)) < 1e-16);
  CHECK(featherline::stumpff_0(0.0) == 1.0);
  CHECK(featherline::stumpff_3(0.0) == 1.0 / 6.0);
  CHECK(featherline::stumpff_0(1e8) == doctest::Approx(std::cos(1e4)).epsilon(1e-12));
  CHECK(std::isnan(featherline::stumpff_1(std::numeric_limits<double>::quiet_NaN())));
  CHECK(std::isnan(featherline::stumpff_0(std::numeric_limits<double>::infinity())));
}

TEST_CASE("scalars with functions of their own need no comparison") {
  const double h = 1e-100;  // the slopes of c_k are (k c_k+2 - c_k+1) / 2
  for (const double x : {0.01, 0.4, 0.6, 3.0}) {
    const std::complex<double> z(x, h);
    CHECK(featherline::stumpff_0(z).real() == doctest::Approx(double(exact(0, x))).epsilon(1e-15));
    CHECK(featherline::stumpff_3(z).real() == doctest::Approx(double(exact(3, x))).epsilon(1e-14));
    CHECK(featherline::stumpff_0(z).imag() / h == doctest::Approx(double(-exact(1, x)) / 2.0).epsilon(1e-13));
    CHECK(featherline::stumpff_1(z).imag() / h ==
          doctest::Approx(double(exact(3, x) - exact(2, x)) / 2.0).epsilon(1e-12));
    CHECK(featherline::stumpff_3(z).imag() / h ==
          doctest::Approx(double(3.0L * exact(5, x) - exact(4, x)) / 2.0).epsilon(1e-12));
  }
}
