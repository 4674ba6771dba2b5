#include "passes/pack.hpp"

#include "ir/interpreter.hpp"

#include <doctest/doctest.h>

using namespace featherline::ir;
using namespace featherline::passes;

TEST_CASE(
    "equal and opposite entries are packed once, zeros not at all, and the map restores the dense array") {
  Kernel f;
  f.inputs = {{"x", 2}};
  f.outputs = {{"A", 6}, {"B", 2}};
  const Scalar x = f.input(0, 0), y = f.input(0, 1);
  f.store(0, 0, x * y);
  f.store(0, 1, 0.0);
  f.store(0, 2, -(x * y));
  f.store(0, 3, x + y);
  f.store(0, 4, x * y);
  f.store(0, 5, 2.5);
  f.store(1, 0, 0.0);
  f.store(1, 1, x * y);
  const PackedKernel packed = pack(f);
  CHECK(packed.kernel.outputs[0].size == 3);
  CHECK(packed.kernel.outputs[1].size == 1);
  CHECK(count_cost(packed.kernel).flops == 2);

  const auto dense = evaluate(f, {{3.0, 5.0}}), values = evaluate(packed.kernel, {{3.0, 5.0}});
  for (std::size_t p = 0; p < 2; ++p) {
    std::vector<double> restored(dense[p].size(), 0.0);
    for (const PackedEntry& e : packed.maps[p]) {
      const double value = values[p][static_cast<std::size_t>(e.packed_index)];
      restored[static_cast<std::size_t>(e.dense_index)] = e.negated ? -value : value;
    }
    CHECK(restored == dense[p]);
  }
}
