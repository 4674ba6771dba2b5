#pragma once

#include <cmath>
#include <limits>

namespace featherline::test {

/// Distance of `got` from `want` in units of the last place of S at `want`; infinite where `got` is not a
/// number. long double has 64 bits of significand on x86 and 113 on ARM: exact enough to judge double.
template <class S>
double ulp_error(S got, long double want) {
  if (std::isnan(got)) return std::numeric_limits<double>::infinity();
  int exponent = 0;
  std::frexp(want, &exponent);
  const long double ulp = std::ldexp(1.0L, exponent - std::numeric_limits<S>::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / ulp);
}

}  // namespace featherline::test
