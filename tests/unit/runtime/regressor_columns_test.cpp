#include <featherline/regressor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

/// Two bodies: the first hangs on axes 6 to 8, the second on these and on the last one.
template <bool has_free_base>
struct Tree {
  static constexpr int nv = 20, num_bodies = 2;
  static constexpr bool free_base = has_free_base;
  static constexpr featherline::RowRun runs[] = {{0, 6, 3}, {1, 6, 3}, {1, 19, 1}, {2, 0, 0}};
};

template <class T, class S>
std::vector<S> columns(const std::vector<S>& motions, const std::vector<S>& bodies, S before, bool zeros) {
  std::vector<S> Y(10 * T::nv * T::num_bodies, before);
  featherline::regressor::columns(T{}, motions.data(), bodies.data(), Y.data(), zeros);
  return Y;
}

}  // namespace

TEST_CASE_TEMPLATE("columns of a regressor clear their zeros if they are told to", S, double, float) {
  std::mt19937 random(7);
  std::uniform_real_distribution<S> uniform(-1, 1);
  const auto numbers = [&](std::size_t count) {
    std::vector<S> list(count);
    std::generate(list.begin(), list.end(), [&] { return uniform(random); });
    return list;
  };
  const std::vector<S> motions = numbers(6 * 20);
  const std::vector<S> bodies = numbers(2 * featherline::regressor::numbers_of_body);
  const S nan = std::numeric_limits<S>::quiet_NaN();
  const auto check = [&](auto tree) {
    using T = decltype(tree);
    const std::vector<S> on_zeros = columns<T>(motions, bodies, S(0), false);
    CHECK(std::count_if(on_zeros.begin(), on_zeros.end(), [](S x) { return x != S(0); }) > 10);
    CHECK(columns<T>(motions, bodies, nan, true) == on_zeros);
    const std::vector<S> kept = columns<T>(motions, bodies, nan, false);
    CHECK(std::any_of(kept.begin(), kept.end(), [](S x) { return std::isnan(x); }));
  };
  check(Tree<false>{});
  check(Tree<true>{});
}
