// The path of microcontrollers, which sincos<N> takes here by definition of FEATHERLINE_SINGLE_SINCOS.
#include <doctest/doctest.h>
#include <featherline/sincos.hpp>

#include "unit/runtime/ulp.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace {

using featherline::test::ulp_error;

#ifdef __FAST_MATH__
constexpr bool reorders = true;
#else
constexpr bool reorders = false;
#endif

// By pointer: -ffast-math would put x87's fsin here, which reduces with 66 bits of pi.
long double (*volatile exact_sine)(long double) = ::sinl;
long double (*volatile exact_cosine)(long double) = ::cosl;

/// The worse of sine and cosine, in units of the last place.
double error_at(float angle) {
  float s = 0.0F, c = 0.0F;
  featherline::sincos<1>(&angle, &s, &c);
  const long double exact = angle;
  return std::max(ulp_error(s, exact_sine(exact)), ulp_error(c, exact_cosine(exact)));
}

double worst_of_random_angles(double range, int count) {
  std::mt19937_64 generator(20240717);
  std::uniform_real_distribution<double> uniform(-range, range);
  double worst = 0.0;
  for (int i = 0; i < count; ++i) worst = std::max(worst, error_at(static_cast<float>(uniform(generator))));
  return worst;
}

}  // namespace

TEST_CASE("single precision stays within the documented error near zero") {
  CHECK(worst_of_random_angles(0.785, 300'000) <= (reorders ? 1.3 : 0.76));
  CHECK(worst_of_random_angles(3.1416, 300'000) <= (reorders ? 3.4 : 1.5));
  CHECK(worst_of_random_angles(200.0, 500'000) <= (reorders ? 3.4 : 2.4));
}

TEST_CASE("every exponent beyond the near range is reduced exactly") {
  std::mt19937 generator(3);
  double worst = 0.0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto exponent = 134 + generator() % 121;  // 128 ... largest float
    const auto bits = static_cast<std::uint32_t>((generator() & 0x807fffffU) | exponent << 23);
    float angle = 0.0F;
    std::memcpy(&angle, &bits, sizeof angle);
    worst = std::max(worst, error_at(angle));
  }
  CHECK(worst <= 3.4);
}

TEST_CASE("multiples of pi/2 and their neighbours keep their relative accuracy") {
  double worst = 0.0;
  for (int k = -200'000; k < 200'000; ++k) {
    const auto at = static_cast<float>(k * 1.5707963267948966);
    if (k == 0) continue;
    for (const float angle : {at, std::nextafter(at, -1e30F), std::nextafter(at, 1e30F)})
      worst = std::max(worst, error_at(angle));
  }
  CHECK(worst <= 3.4);
}

TEST_CASE("zero, tiny, infinite and undefined angles") {
  for (const float angle : {0.0F, -0.0F, 1e-45F, -1e-40F, 1e-20F}) {
    float s = 1.0F, c = 0.0F;
    featherline::sincos<1>(&angle, &s, &c);
    CHECK(s == angle);
    CHECK(c == 1.0F);
  }
  if (reorders) return;  // such a compiler takes it that there are none
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float angle : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    float s = 0.0F, c = 0.0F;
    featherline::sincos<1>(&angle, &s, &c);
    CHECK(std::isnan(s));
    CHECK(std::isnan(c));
  }
}

TEST_CASE("double is left to libm") {
  const double angle[2] = {0.3, 1e9};
  double s[2], c[2];
  featherline::sincos<2>(angle, s, c);
  CHECK(s[1] == std::sin(1e9));
  CHECK(c[0] == std::cos(0.3));
}
