// Sines and cosines of lanes against long double, in the instruction set this file is compiled for.
#include <doctest/doctest.h>
#include <featherline/batch/prologue.hpp>
#include <featherline/batch/sincos.hpp>

#include <algorithm>
#include <limits>
#include <random>

namespace {

template <class S>
using StateLanes = featherline::batch::StateLanes<featherline::batch::Baseline, S>;

/// Distance in units in the last place of the exact value.
template <class S>
double ulps(S found, long double exact) {
  const S near = static_cast<S>(exact);
  const S unit = std::nextafter(std::abs(near), S(2)) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) /
                             static_cast<long double>(unit));
}

/// Largest error of sines and cosines of random angles up to `bound`.
template <class S>
double largest_error(double bound) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-bound, bound);
  double error = 0.0;
  for (int i = 0; i < 200000; ++i) {
    StateLanes<S> angle[3], s[3], c[3];
    for (StateLanes<S>& a : angle) {
      for (int k = 0; k < StateLanes<S>::size; ++k) a.x[k] = static_cast<S>(uniform(random));
    }
    featherline::sincos<3>(angle, s, c);
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < StateLanes<S>::size; ++k) {
        const long double exact = static_cast<long double>(angle[j].x[k]);
        error = std::max({error, ulps<S>(s[j].x[k], std::sin(exact)), ulps<S>(c[j].x[k], std::cos(exact))});
      }
    }
  }
  return error;
}

}  // namespace

TEST_CASE("lanes: as exact as the scalar function promises") {
  CHECK(largest_error<double>(100.0) <= 1.6);
  CHECK(largest_error<double>(1e6) <= 2.4);
  CHECK(largest_error<float>(100.0) <= 0.501);
  MESSAGE("double " << largest_error<double>(100.0) << ", to 1e6 " << largest_error<double>(1e6) << ", float "
                    << largest_error<float>(100.0) << " units in the last place");
}

TEST_CASE_TEMPLATE("lanes: angles beyond the reduction are libm's, their neighbours are not touched", S,
                   double, float) {
  const S infinity = std::numeric_limits<S>::infinity();
  for (const S far : {S(3e6), S(-1e7), S(1e15), infinity}) {
    CAPTURE(far);
    StateLanes<S> angle[1], s[1], c[1];
    for (int k = 0; k < StateLanes<S>::size; ++k) angle[0].x[k] = k == 1 ? far : S(0.5);
    featherline::sincos<1>(angle, s, c);
    for (int k = 0; k < StateLanes<S>::size; ++k) {
      CAPTURE(k);
      if (k == 1 && far == infinity) {
        CHECK(std::isnan(s[0].x[k]));
        CHECK(std::isnan(c[0].x[k]));
        continue;
      }
      CHECK(std::abs(s[0].x[k] - std::sin(angle[0].x[k])) <= S(1e-6));
      CHECK(std::abs(c[0].x[k] - std::cos(angle[0].x[k])) <= S(1e-6));
    }
  }
}
