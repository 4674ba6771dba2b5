// Batches whose results no cache holds, compiled for this processor alone: calls of the plain function, bit by bit.
#include "dog.hpp"

#include <doctest/doctest.h>
#include <featherline/batch.hpp>

#include <cstring>
#include <random>
#include <vector>

TEST_CASE_TEMPLATE("where its results pass the cache, a batch calls the function", S, double, float) {
  if (!featherline::is_supported(featherline::InstructionSet::avx2))
    return;  // these calls are for wide vectors
  constexpr std::size_t numbers = dog::nv * 10 * dog::num_bodies;
  constexpr std::size_t count = (std::size_t{24} << 20) / (numbers * sizeof(S)) + 2;
  std::vector<S> q(count * dog::nq), v(count * dog::nv), a(count * dog::nv);
  std::vector<S> Y(count * numbers, S(7)), expected(numbers);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (std::vector<S>* x : {&q, &v, &a}) {
    for (S& number : *x) number = static_cast<S>(uniform(random));
  }
  dog::batch::regressor(static_cast<std::ptrdiff_t>(count), q.data(), v.data(), a.data(), Y.data());
  std::size_t differing = 0;
  for (std::size_t k = 0; k < count; ++k) {
    dog::regressor(&q[k * dog::nq], &v[k * dog::nv], &a[k * dog::nv], expected.data());
    differing += std::memcmp(expected.data(), &Y[k * numbers], numbers * sizeof(S)) != 0;
  }
  CHECK(differing == 0);
}
