#include "emit/text.hpp"

#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

using featherline::emit::literal;
using featherline::emit::literal_or_infinity;

TEST_CASE("whole numbers are floating literals") {
  CHECK(literal(1.0) == "1.0");
  CHECK(literal(-3.0) == "-3.0");
  CHECK(literal(0.0) == "0.0");
  CHECK(literal(123456789.0) == "123456789.0");
}

TEST_CASE("the shortest text that reads back the same is printed") {
  CHECK(literal(0.1) == "0.1");
  CHECK(literal(0.425) == "0.425");
  CHECK(literal(1.0 / 3.0) == "0.3333333333333333");
  CHECK(literal(0.1 + 0.2) == "0.30000000000000004");
  CHECK(literal(-9.81) == "-9.81");
}

TEST_CASE("exponents keep a decimal point") {
  CHECK(literal(1e300) == "1.0e+300");
  CHECK(literal(-2.5e-7) == "-2.5e-07");
  CHECK(literal(std::numeric_limits<double>::denorm_min()) == "5.0e-324");
}

TEST_CASE("every literal reads back bit for bit") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double value;
    static_assert(sizeof bits == sizeof value);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = literal(value);
    CHECK(text.find('.') != std::string::npos);
    REQUIRE(std::strtod(text.c_str(), nullptr) == value);
  }
}

TEST_CASE("infinities are spelled only where they may occur, NaN nowhere") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(literal(infinity), featherline::InternalError);
  CHECK_THROWS_AS(literal_or_infinity(std::nan("")), featherline::InternalError);
  CHECK(literal_or_infinity(infinity) == "std::numeric_limits<double>::infinity()");
  CHECK(literal_or_infinity(-infinity) == "-std::numeric_limits<double>::infinity()");
  CHECK(literal_or_infinity(2.0) == "2.0");
}
