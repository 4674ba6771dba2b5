// FEATHERLINE_USER_CONFIG names a header that plugs a function of the user's in.
#include <doctest/doctest.h>
#include <featherline/sincos.hpp>

#include <complex>

TEST_CASE("the user's function serves double and float, and only these") {
  const double angle[3] = {0.1, 0.2, 0.3};
  double s[3], c[3];
  featherline::sincos<3>(angle, s, c);
  CHECK(user_calls == 1);
  CHECK(s[2] == 1003.0);
  CHECK(c[0] == 0.1);

  const float single[1] = {0.5F};
  float ss[1], sc[1];
  featherline::sincos<1>(single, ss, sc);
  CHECK(user_calls == 2);
  CHECK(ss[0] == 1001.0F);

  const std::complex<double> other[1] = {0.5};
  std::complex<double> os[1], oc[1];
  featherline::sincos<1>(other, os, oc);
  CHECK(user_calls == 2);
  CHECK(os[0].real() == std::sin(0.5));
}
