// Numbers in lanes against one number at a time.
#include <featherline/lanes.hpp>

#include <doctest/doctest.h>

#include <cstddef>

#include <vector>

#include <utility>

#include <array>
#include <cfenv>
#include <cmath>
#include <complex>

using featherline::Lanes;

namespace {

/// A value and its derivative: a scalar that no vector register holds.
struct Dual {
  double value = 0.0, slope = 0.0;
  Dual() = default;
  explicit Dual(double x) : value(x), slope(1.0) {}
  Dual(double x, double dx) : value(x), slope(dx) {}
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slope + a.slope * b.value};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
  }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual sqrt(const Dual& a) { return {std::sqrt(a.value), 0.5 * a.slope / std::sqrt(a.value)}; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value && a.slope == b.slope; }
};

template <class S, int k>
struct Case {
  using Scalar = S;
  static constexpr int lanes = k;
};

/// Halves first, as lanes.hpp says.
template <class S>
S sum(const S* x, int k) {
  if (k == 1) return x[0];
  int half = 1;
  while (2 * half < k) half *= 2;
  std::array<S, 8> y{};
  for (int i = 0; i < half; ++i) y[static_cast<std::size_t>(i)] = i + half < k ? S(x[i] + x[i + half]) : x[i];
  return sum(y.data(), half);
}

}  // namespace

TEST_CASE_TEMPLATE("every operation works lane by lane", T, Case<double, 2>, Case<double, 3>, Case<double, 4>,
                   Case<double, 5>, Case<double, 6>, Case<double, 7>, Case<double, 8>, Case<float, 2>,
                   Case<float, 3>, Case<float, 4>, Case<float, 5>, Case<float, 6>, Case<float, 7>,
                   Case<float, 8>, Case<Dual, 2>, Case<Dual, 3>, Case<Dual, 4>, Case<Dual, 5>,
                   Case<std::complex<double>, 3>, Case<std::complex<double>, 8>) {
  using S = typename T::Scalar;
  using std::sqrt;
  constexpr int k = T::lanes;
  using L = Lanes<S, k>;
  // Reading or writing an entry too much is an error of the address sanitizer.
  std::array<S, static_cast<std::size_t>(k)> a, b, y;
  for (int i = 0; i < k; ++i) {
    a[static_cast<std::size_t>(i)] = S(1.25 + i);
    b[static_cast<std::size_t>(i)] = S(0.3 * i - 0.7);
  }
  const L A = L::load(a.data()), B = L::load(b.data());
  const S s = S(2.5);
  const auto check = [&](const L& found, const auto& expected) {
    found.store(y.data());
    for (int i = 0; i < k; ++i) {
      const auto n = static_cast<std::size_t>(i);
      CHECK(y[n] == expected(a[n], b[n]));
      CHECK(found[i] == y[n]);
    }
  };
  check(A, [](S x, S) { return x; });
  check(A + B, [](S x, S z) { return S(x + z); });
  check(A - B, [](S x, S z) { return S(x - z); });
  check(A * B, [](S x, S z) { return S(x * z); });
  check(B / A, [](S x, S z) { return S(z / x); });
  check(-A, [](S x, S) { return S(-x); });
  check(sqrt(A), [](S x, S) { return S(sqrt(x)); });
  check(A * s, [&](S x, S) { return S(x * s); });
  check(s - A, [&](S x, S) { return S(s - x); });
  check(L(s), [&](S, S) { return s; });
  CHECK(lane_sum(B) == sum(b.data(), k));
  (A * B).store(y.data());
  CHECK(lane_sum(A * B) == sum(y.data(), k));
}

TEST_CASE("one number for each lane") {
  const Lanes<double, 3> x{1.0, 2.0, 4.0};
  CHECK(x[0] == 1.0);
  CHECK(x[2] == 4.0);
  CHECK(lane_sum(x) == 7.0);
  const Lanes<float, 5> y{1.0F, 2.0F, 4.0F, 8.0F, 16.0F};
  CHECK(lane_sum(y) == 31.0F);
  CHECK(lane_sum(Lanes<double, 6>(0.5)) == 3.0);
}

#if defined(__GNUC__) && (!defined(__arm__) || defined(__ARM_NEON))
TEST_CASE("lanes without a limb fill the vector and make no exceptions") {
  CHECK(sizeof(Lanes<double, 3>) == sizeof(Lanes<double, 4>));
  CHECK(sizeof(Lanes<float, 5>) == sizeof(Lanes<float, 8>));
  volatile double hidden = 1.0;  // from the compiler, which would divide by itself
  const double one = hidden, four = 4.0 * hidden;
  std::array<double, 3> given{one, four, four};
  std::feclearexcept(FE_ALL_EXCEPT);
  const Lanes<double, 3> x = Lanes<double, 3>::load(given.data()), y{one, one, four};
  (Lanes<double, 3>(one) / x + Lanes<double, 3>(one) / y + sqrt(x - y)).store(given.data());
  CHECK(std::fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) == 0);
  CHECK(given[1] == 1.25 + std::sqrt(3.0));
}
#endif

namespace {

/// Lane l of row r is 10 r + l. Rows of a limb are consecutive, limbs are `stride` apart.
template <class S, int k, int... row>
void check_scatter(std::ptrdiff_t stride, std::integer_sequence<int, row...>) {
  constexpr int rows = sizeof...(row);
  std::vector<S> entries(static_cast<std::size_t>(stride * k + rows), S(-1));
  const auto value = [](int r) {
    S lanes[k];
    for (int l = 0; l < k; ++l) lanes[l] = S(10 * r + l);
    return featherline::Lanes<S, k>::load(lanes);
  };
  scatter(entries.data(), stride, value(row)...);
  for (int e = 0; e < static_cast<int>(entries.size()); ++e) {
    const int l = e / static_cast<int>(stride), r = e % static_cast<int>(stride);
    CHECK(entries[static_cast<std::size_t>(e)] == (l < k && r < rows ? S(10 * r + l) : S(-1)));
  }
}

template <class S, int k>
void check_scatters() {
  check_scatter<S, k>(1, std::make_integer_sequence<int, 1>{});
  check_scatter<S, k>(3, std::make_integer_sequence<int, 3>{});
  check_scatter<S, k>(9, std::make_integer_sequence<int, 2>{});
  check_scatter<S, k>(9, std::make_integer_sequence<int, 3>{});
  check_scatter<S, k>(9, std::make_integer_sequence<int, 6>{});
  check_scatter<S, k>(9, std::make_integer_sequence<int, 7>{});
}

}  // namespace

TEST_CASE("rows of limbs are stored where they belong, and nothing else") {
  check_scatters<double, 4>();
  check_scatters<double, 8>();
  check_scatters<double, 2>();
  check_scatters<double, 3>();
  check_scatters<float, 4>();
  check_scatters<long double, 4>();
}
