// Values with several lanes: one number for each of several equal limbs.
#include "ir/interpreter.hpp"
#include "ir/scalar.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace lanes_test {

using namespace featherline::ir;

namespace {

struct Fixture {
  Fixture() {
    fn.inputs = {{"x", 6}};
    fn.outputs = {{"y", 3}};
    fn.graph.merges_reversed_differences = true;
  }
  Scalar numbers(const std::vector<double>& values) { return lane_numbers(fn.graph, values); }
  std::vector<double> results(const std::vector<double>& x) const { return evaluate(fn, {x}).front(); }

  Kernel fn;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "constants fold lane by lane, and vanish where all lanes agree") {
  const Scalar a = numbers({1.0, 2.0, 3.0}), b = numbers({3.0, 2.0, 1.0});
  CHECK((a + b).value() == 4.0);
  CHECK((a - a).is_zero());
  CHECK((a * Scalar(0.0)).is_zero());
  CHECK((a / a).value() == 1.0);
  CHECK(a * Scalar(1.0) == a);
  CHECK(a + Scalar(0.0) == a);
  CHECK_FALSE(a.is_constant());
  CHECK(a.lanes() == 3);
  CHECK(lane(a * b, 1).value() == 4.0);
  CHECK(lane_sum(a, 3).value() == 6.0);
  CHECK(lane_sum(2.0, 3).value() == 6.0);
  CHECK(lane(cos(numbers({0.0, 1.0})), 1).value() == std::cos(1.0));
}

TEST_CASE_FIXTURE(Fixture, "a zero in one lane is not a zero; minus a constant shares its node") {
  const Scalar a = numbers({0.0, 2.0, -3.0}), minus = numbers({0.0, -2.0, 3.0});
  CHECK_FALSE(a.is_zero());
  CHECK(minus.id() == a.id());
  CHECK(minus == -a);
  const Scalar x = fn.gather(0, {0, 1, 2});
  CHECK((a * x).id() == (minus * x).id());
  CHECK((a * (minus * x)).id() == (a * a * x).id());  // factors of nested products are one
}

TEST_CASE_FIXTURE(Fixture, "gather, a scalar in every lane, constants by lane, scatter") {
  const Scalar x = fn.gather(0, {0, 2, 4}), s = fn.input(0, 5);
  fn.scatter(0, {2, 0, 1}, (x * s - numbers({1.0, 10.0, 100.0})) * Scalar(2.0));
  CHECK(results({1.0, 0.0, 2.0, 0.0, 3.0, 7.0}) == std::vector<double>{8.0, -158.0, 12.0});
  CHECK(count_cost(fn).flops == 3);  // one each, whatever the lanes
}

TEST_CASE_FIXTURE(Fixture, "sums add the higher half of the lanes to the lower one, numbers as well") {
  const double tiny = 0x1p-53;  // 1 + tiny is 1
  fn.store(0, 0, lane_sum(fn.gather(0, {0, 1, 2, 3}), 4));
  fn.store(0, 1, lane_sum(fn.gather(0, {0, 1, 2}), 3));
  fn.store(0, 2, lane_sum(numbers({1.0, tiny, -1.0, tiny}), 4));
  CHECK(results({1.0, tiny, -1.0, tiny, 0.0, 0.0}) == std::vector<double>{2.0 * tiny, tiny, 2.0 * tiny});
}

TEST_CASE_FIXTURE(Fixture, "sums over lanes, sines by lane") {
  const Scalar x = fn.gather(0, {0, 1, 2});
  fn.store(0, 0, lane_sum(x, 3));
  fn.store(0, 1, lane(sin(x), 2));
  fn.store(0, 2, -lane_sum(fn.input(0, 3), 3));
  const std::vector<double> y = results({1.0, 2.0, 3.0, 4.0, 0.0, 0.0});
  CHECK(y == std::vector<double>{6.0, std::sin(3.0), -12.0});
  CHECK(count_cost(fn).sincos == 3);
}

}  // namespace lanes_test
