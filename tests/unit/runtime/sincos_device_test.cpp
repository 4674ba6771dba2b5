// The sines and cosines of devices, which need no compiler of CUDA.
#include <doctest/doctest.h>
#include <featherline/detail/sincos_device.hpp>

#include "unit/runtime/ulp.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using featherline::test::ulp_error;

template <class S>
double error_at(S angle) {
  S s = 0, c = 0;
  featherline::detail::sincos_device<1>(&angle, &s, &c);
  const long double exact = angle;
  return std::max(ulp_error(s, std::sin(exact)), ulp_error(c, std::cos(exact)));
}

template <class S>
double worst_of_random_angles(double range) {
  std::mt19937_64 generator(20261126);
  std::uniform_real_distribution<double> uniform(-range, range);
  double worst = 0.0;
  for (int i = 0; i < 200'000; ++i) worst = std::max(worst, error_at(static_cast<S>(uniform(generator))));
  return worst;
}

/// Numbers next to multiples of pi/2, where the reduction cancels most.
template <class S>
double worst_near_quarter_turns() {
  double worst = 0.0;
  for (int k = 1; k < 600'000; k += 7) {
    const auto angle = static_cast<S>(static_cast<long double>(k) * 1.57079632679489661923L);
    worst = std::max({worst, error_at(angle), error_at(-angle)});
  }
  return worst;
}

}  // namespace

TEST_CASE_TEMPLATE("devices stay within the documented error", S, double, float) {
  CHECK(worst_of_random_angles<S>(0.785) <= 0.9);
  for (const double range : {3.2, 100.0, 1e6}) CHECK(worst_of_random_angles<S>(range) <= 1.6);
  CHECK(worst_near_quarter_turns<S>() <= 1.6);
}

TEST_CASE_TEMPLATE("angles that devices cannot reduce give NaN", S, double, float) {
  const S far[] = {S(1.1e6), S(-1e30), std::numeric_limits<S>::infinity(),
                   std::numeric_limits<S>::quiet_NaN()};
  S s[4], c[4];
  featherline::detail::sincos_device<4>(far, s, c);
  for (int k = 0; k < 4; ++k) CHECK((std::isnan(s[k]) && std::isnan(c[k])));
}
