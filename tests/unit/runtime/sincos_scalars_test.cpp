// Scalars that are not double or float bring their own sine and cosine.
#include <doctest/doctest.h>
#include <featherline/sincos.hpp>

#include <complex>

#ifdef FEATHERLINE_TEST_XSIMD
#include <xsimd/xsimd.hpp>
#endif

namespace dual {

struct Dual {
  double value, slope;
};
Dual sin(Dual x) { return {std::sin(x.value), std::cos(x.value) * x.slope}; }
Dual cos(Dual x) { return {std::cos(x.value), -std::sin(x.value) * x.slope}; }

}  // namespace dual

namespace paired {

struct Angle {
  double value = 0.0;
  int calls = 0;
};
struct Both {
  Angle first, second;
};
// Only the pair exists: the code compiles if and only if it is used.
Both sincos(const Angle& x) { return {{std::sin(x.value), 1}, {std::cos(x.value), 1}}; }

}  // namespace paired

TEST_CASE("complex step through sincos gives the derivative") {
  const double h = 1e-100;
  const std::complex<double> angle[3] = {{0.3, h}, {-1.2, 0.0}, {2.5, 2.0 * h}};
  std::complex<double> s[3], c[3];
  featherline::sincos<3>(angle, s, c);
  CHECK(s[0].real() == doctest::Approx(std::sin(0.3)).epsilon(1e-15));
  CHECK(s[0].imag() / h == doctest::Approx(std::cos(0.3)).epsilon(1e-15));
  CHECK(c[1].imag() == 0.0);
  CHECK(c[2].imag() / h == doctest::Approx(-2.0 * std::sin(2.5)).epsilon(1e-15));
}

TEST_CASE("sin and cos are found in the namespace of the scalar") {
  const dual::Dual angle[2] = {{0.7, 1.0}, {-0.4, 3.0}};
  dual::Dual s[2], c[2];
  featherline::sincos<2>(angle, s, c);
  CHECK(s[0].slope == std::cos(0.7));
  CHECK(c[1].slope == -std::sin(-0.4) * 3.0);
}

TEST_CASE("a sincos that returns a pair is preferred") {
  const paired::Angle angle[1] = {{0.7, 0}};
  paired::Angle s[1], c[1];
  featherline::sincos<1>(angle, s, c);
  CHECK(s[0].value == std::sin(0.7));
  CHECK(c[0].calls == 1);
}

TEST_CASE("long double keeps its precision") {
  const long double angle[1] = {1.0L};
  long double s[1], c[1];
  featherline::sincos<1>(angle, s, c);
  CHECK(s[0] == std::sin(1.0L));
  CHECK(c[0] == std::cos(1.0L));
}

#ifdef FEATHERLINE_TEST_XSIMD
TEST_CASE("an xsimd batch evaluates several states at once") {
  using Batch = xsimd::batch<double>;
  const Batch angle[2] = {Batch(0.25), Batch(-3.0)};
  Batch s[2], c[2];
  featherline::sincos<2>(angle, s, c);
  CHECK(s[0].get(0) == doctest::Approx(std::sin(0.25)).epsilon(1e-15));
  CHECK(c[1].get(Batch::size - 1) == doctest::Approx(std::cos(-3.0)).epsilon(1e-15));
}
#endif
