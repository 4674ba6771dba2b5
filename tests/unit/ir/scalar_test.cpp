#include "ir/scalar.hpp"
#include "ir/kernel.hpp"

#include <doctest/doctest.h>

using featherline::ir::count_cost;
using featherline::ir::Kernel;
using featherline::ir::Op;
using featherline::ir::Scalar;

namespace {

struct Fixture {
  Fixture() { fn.inputs = {{"x", 4}}; }
  Scalar x(int i) { return fn.input(0, i); }
  int nodes() const { return static_cast<int>(fn.graph.size()); }
  Kernel fn;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "numbers fold, zeros and ones vanish") {
  CHECK((Scalar(2.0) * Scalar(3.0)).value() == 6.0);
  CHECK((x(0) * Scalar(0.0)).is_zero());
  CHECK(x(0) * Scalar(1.0) == x(0));
  CHECK(x(0) + Scalar(0.0) == x(0));
  CHECK((x(0) - x(0)).is_zero());
  CHECK((Scalar(0.0) / x(0)).is_zero());
  CHECK((x(1) / x(1)).value() == 1.0);
  CHECK((-x(1) / x(1)).value() == -1.0);
}

TEST_CASE_FIXTURE(Fixture, "equal expressions are one node, whatever the order of operands") {
  const Scalar sum = x(0) + x(1), product = x(0) * x(1);
  const int before = nodes();
  CHECK(x(1) + x(0) == sum);
  CHECK(x(1) * x(0) == product);
  CHECK(nodes() == before);
}

TEST_CASE_FIXTURE(Fixture, "signs stay outside the graph") {
  const Scalar difference = x(0) - x(1);
  const int before = nodes();
  CHECK(x(1) - x(0) == -difference);
  CHECK(-x(0) + x(1) == -difference);
  CHECK(nodes() == before);
  CHECK((-x(0)) * (-x(1)) == x(0) * x(1));
  CHECK((-x(0)) * x(1) == -(x(0) * x(1)));
  CHECK(-x(0) - x(1) == -(x(0) + x(1)));
  CHECK(x(0) - (-x(1)) == x(0) + x(1));
}

TEST_CASE_FIXTURE(Fixture, "constants of nested products become one, and its sign leaves") {
  CHECK(Scalar(2.0) * (Scalar(3.0) * x(0)) == Scalar(6.0) * x(0));
  CHECK(Scalar(-2.0) * x(0) == -(Scalar(2.0) * x(0)));
  CHECK(Scalar(0.5) * (Scalar(2.0) * x(0)) == x(0));
  CHECK(x(0) + x(0) == Scalar(2.0) * x(0));
  CHECK(x(0) / Scalar(4.0) == Scalar(0.25) * x(0));
}

TEST_CASE_FIXTURE(Fixture, "sine is odd and cosine even") {
  CHECK(sin(-x(0)) == -sin(x(0)));
  CHECK(cos(-x(0)) == cos(x(0)));
  CHECK(sin(Scalar(0.0)).is_zero());
}

TEST_CASE_FIXTURE(Fixture, "cost counts live operations once and angles once") {
  fn.outputs = {{"y", 1}};
  const Scalar c2 = x(2), unused = c2 * x(3);
  const Scalar s = sin(x(0)), c = cos(x(0));
  fn.store(0, 0, -(s * c + x(1)));
  const auto cost = count_cost(fn);
  CHECK(cost.flops == 3);  // product, sum, negation
  CHECK(cost.sincos == 1);
  CHECK(fn.graph.find(Op::mul, c2.id(), x(3).id()) == unused.id());
}

TEST_CASE_FIXTURE(Fixture, "a name tells the sign") {
  fn.name_value(-(x(0) + x(1)), "w");
  fn.name_value(x(0) * x(1), "p");
  CHECK(fn.graph.node_name((x(0) + x(1)).id()) == "neg_w");
  CHECK(fn.graph.node_name((x(0) * x(1)).id()) == "p");
}

TEST_CASE_FIXTURE(Fixture, "written operations count what the text says, folded or not") {
  using featherline::ir::Operations;
  using featherline::ir::source_operations;
  fn.outputs = {{"y", 1}};
  const Operations before = source_operations();
  const Scalar once = x(0) * x(1) + Scalar(0.0) * x(2), again = x(1) * x(0);
  fn.store(0, 0, (once - -again) / Scalar(2.0));
  CHECK(source_operations() - before == Operations{3, 1, 2});
}
