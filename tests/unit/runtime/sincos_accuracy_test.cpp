// Compiled once for every vector width the machine has and once with the lanes switched off.
#include <doctest/doctest.h>
#include <featherline/sincos.hpp>

#include "unit/runtime/ulp.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <utility>

namespace {

using featherline::test::ulp_error;

// 7 = 2 + 2 + 2 + 1 = 4 + 3: on every target the last block has lanes without an angle.
constexpr int count = 7;

template <class S>
double worst_of_one_call(const S (&angle)[count]) {
  S s[count], c[count];
  featherline::sincos<count>(angle, s, c);
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    const long double exact = static_cast<long double>(angle[i]);
    worst = std::max({worst, ulp_error(s[i], std::sin(exact)), ulp_error(c[i], std::cos(exact))});
  }
  return worst;
}

template <class S>
double worst_of_random_angles(double range, int calls) {
  std::mt19937_64 generator(20240717);
  std::uniform_real_distribution<double> uniform(-range, range);
  double worst = 0.0;
  for (int call = 0; call < calls; ++call) {
    S angle[count];
    for (S& x : angle) x = static_cast<S>(uniform(generator));
    worst = std::max(worst, worst_of_one_call(angle));
  }
  return worst;
}

}  // namespace

TEST_CASE("sincos of double stays within the documented error") {
  CHECK(worst_of_random_angles<double>(0.785, 50'000) <= 1.2);
  CHECK(worst_of_random_angles<double>(3.2, 50'000) <= 1.6);
  CHECK(worst_of_random_angles<double>(100.0, 100'000) <= 1.6);
  CHECK(worst_of_random_angles<double>(1e6, 50'000) <= 2.4);
}

TEST_CASE("sincos of float is rounded correctly but for ties") {
  for (const double range : {0.785, 3.2, 100.0, 1e6})
    CHECK(worst_of_random_angles<float>(range, 50'000) <= 0.57);
}

TEST_CASE("angles beyond the reduction are left to libm, also when one of many is") {
  CHECK(worst_of_random_angles<double>(1e9, 10'000) <= 0.6);
  CHECK(worst_of_random_angles<double>(1e300, 10'000) <= 0.6);
  for (int far = 0; far < count; ++far) {
    double angle[count] = {0.1, -0.2, 0.3, -1.4, 1.5, 3.0, -2.9};
    angle[far] = 1.234567e15;
    CHECK(worst_of_one_call(angle) <= 0.6);
  }
}

TEST_CASE("multiples of pi/2 and their neighbours keep their relative accuracy") {
  const double quarter = 1.5707963267948966;
  double worst = 0.0;
  for (int k = -100'000; k < 100'000; ++k) {
    const double at = k * quarter;
    const double below = std::nextafter(at, -1e9), above = std::nextafter(at, 1e9);
    const double angle[count] = {at, below, above, -at, -below, -above, at + 0.5 * quarter};
    worst = std::max(worst, worst_of_one_call(angle));
  }
  CHECK(worst <= 1.6);
}

TEST_CASE("zero, tiny, infinite and undefined angles") {
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double s[count], c[count];

  const double small[count] = {0.0, -0.0, tiny, -tiny, 1e-300, -1e-18, 0.0};
  featherline::sincos<count>(small, s, c);
  for (int i = 0; i < count; ++i) {
    CHECK(s[i] == small[i]);  // the sine of -0 comes out as +0
    CHECK(c[i] == 1.0);
  }

  for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const double angle[count] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, bad};
    featherline::sincos<count>(angle, s, c);
    CHECK(std::isnan(s[count - 1]));
    CHECK(std::isnan(c[count - 1]));
    CHECK(ulp_error(s[0], std::sin(0.5L)) <= 1.0);
  }
}

namespace {

// Guards on both sides of arrays that start at an odd address: nothing but N results may be written.
template <class S, int N>
void check_bounds_and_values() {
  constexpr S guard = S(-77);
  std::array<S, N + 2> s, c;
  s.fill(guard);
  c.fill(guard);
  std::array<S, N> angle;
  for (int i = 0; i < N; ++i) angle[static_cast<std::size_t>(i)] = S(0.37) * static_cast<S>(i - N / 2);
  featherline::sincos<N>(angle.data(), s.data() + 1, c.data() + 1);
  CAPTURE(N);
  CHECK((s.front() == guard && s.back() == guard && c.front() == guard && c.back() == guard));
  for (std::size_t i = 0; i < N; ++i) {
    const long double exact = static_cast<long double>(angle[i]);
    CHECK(ulp_error(s[i + 1], std::sin(exact)) <= 1.6);
    CHECK(ulp_error(c[i + 1], std::cos(exact)) <= 1.6);
  }
}

template <class S, int... N>
void check_counts(std::integer_sequence<int, N...>) {
  (check_bounds_and_values<S, N + 1>(), ...);
}

}  // namespace

TEST_CASE("every count from 1 to 50 fills its arrays and touches nothing else") {
  check_counts<double>(std::make_integer_sequence<int, 50>());
  check_counts<float>(std::make_integer_sequence<int, 50>());
}

TEST_CASE("angles that are sums are those that the caller would have added") {
  std::mt19937_64 generator(20261127);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int far = -1; far < count; ++far) {
    double a[count], b[count], sum[count], s[count], c[count], expected_s[count], expected_c[count];
    for (int i = 0; i < count; ++i) {
      a[i] = i == far ? 3e7 : uniform(generator);
      b[i] = uniform(generator);
      sum[i] = a[i] + b[i];
    }
    featherline::sincos_of_sums<count>(a, b, s, c);
    featherline::sincos<count>(sum, expected_s, expected_c);
    CAPTURE(far);
    for (int i = 0; i < count; ++i) {
      CHECK(ulp_error(s[i], std::sin(static_cast<long double>(sum[i]))) <= 1.6);
      CHECK(ulp_error(c[i], std::cos(static_cast<long double>(sum[i]))) <= 1.6);
      CHECK(std::abs(s[i] - expected_s[i]) + std::abs(c[i] - expected_c[i]) <= 3e-16);
    }
  }
}
