#include "ir/interpreter.hpp"
#include "ir/kernel.hpp"

#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace featherline::ir;

TEST_CASE("every operation computes what it says") {
  Kernel f;
  f.inputs = {{"x", 2}};
  f.outputs = {{"y", 10}};
  const Scalar a = f.input(0, 0), b = f.input(0, 1);
  f.store(0, 0, a + b);
  f.store(0, 1, a - b);
  f.store(0, 2, a * b);
  f.store(0, 3, a / b);
  f.store(0, 4, -sqrt(a));
  f.store(0, 5, sin(a) + cos(b));
  f.store(0, 6, 4.25);
  f.store(0, 7, -atan(-a));
  f.store(0, 8, pivot_inverse(b, a));
  f.store(0, 9, pivot_inverse(b * 1e-13, a));
  const auto y = evaluate(f, {{2.0, 0.5}}).front();
  CHECK(y == std::vector<double>{2.5, 1.5, 1.0, 4.0, -std::sqrt(2.0), std::sin(2.0) + std::cos(0.5), 4.25,
                                 std::atan(2.0), 2.0, 0.0});
}

TEST_CASE("the form without structural zeros writes nothing else into outputs of an earlier run") {
  Kernel f;
  f.inputs = {{"x", 1}};
  f.outputs = {{"few", 3}, {"many", 2}, {"none", 1}};
  f.store(0, 1, f.input(0, 0) + 1.0);
  f.store(1, 1, f.input(0, 0) * 2.0);
  f.store(2, 0, f.input(0, 0));
  f.inlined.assign(f.graph.size(), true);
  f.steps = {Clear{0, {0, 2}, true}, Clear{1, {}, true},
             StraightLine{{}, {{f.stores[0].value, 0}, {f.stores[1].value, 1}, {f.stores[2].value, 2}}, {}}};
  using Arrays = KernelInterpreter<>::Arrays;
  const Arrays inputs{{3.0}}, before{{7.0, 8.0, 9.0}, {7.0, 8.0}, {9.0}};
  CHECK(KernelInterpreter<>(f, inputs).run() == Arrays{{0.0, 4.0, 0.0}, {0.0, 6.0}, {3.0}});
  CHECK(KernelInterpreter<>(f, inputs).run_nonzeros(before) == Arrays{{7.0, 4.0, 9.0}, {7.0, 6.0}, {3.0}});
  std::get<Clear>(f.steps[1]).once = false;
  CHECK(KernelInterpreter<>(f, inputs).run_nonzeros(before) == Arrays{{7.0, 4.0, 9.0}, {0.0, 6.0}, {3.0}});
  std::get<Clear>(f.steps[0]).entries.push_back(1);
  CHECK_THROWS_AS(KernelInterpreter<>(f, inputs).run(), featherline::InternalError);
}

TEST_CASE("inputs that do not fit are our mistake") {
  Kernel f;
  f.inputs = {{"x", 2}};
  CHECK_THROWS_AS(evaluate(f, {}), featherline::InternalError);
  CHECK_THROWS_AS(evaluate(f, {{1.0}}), featherline::InternalError);
}

TEST_CASE("the dump names values and shows live nodes only") {
  Kernel f;
  f.name = "f";
  f.formulation = "test";
  f.inputs = {{"x", 2}};
  f.outputs = {{"y", 1}};
  const Scalar x = f.input(0, 0), y = f.input(0, 1);
  const Scalar dead = x + y, live = x * y;
  f.name_value(live, "area");
  f.store(0, 0, live);
  CHECK(dump(f) ==
        "function f (test)\nn0 = input x[0]\nn1 = input x[1]\nn3 = mul n0 n1  # area\ny[0] = n3\n");
  CHECK(dead.id() == 2);
}
