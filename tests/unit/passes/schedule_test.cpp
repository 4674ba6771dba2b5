#include "passes/schedule.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

using namespace featherline::ir;
using namespace featherline::passes;

namespace {

/// A chain of named values, each a function of the previous ones at distances 1 and `reach`.
Kernel chain(int length, int reach) {
  Kernel f;
  f.name = "chain";
  f.inputs = {{"x", 2}};
  f.outputs = {{"y", length}};
  std::vector<Scalar> values{f.input(0, 0), f.input(0, 1)};
  for (int i = 0; i < length; ++i) {
    const std::size_t far =
        values.size() > static_cast<std::size_t>(reach) ? values.size() - static_cast<std::size_t>(reach) : 0;
    values.push_back(values.back() * values[far] + Scalar(0.5));
    f.name_value(values.back(), "v" + std::to_string(i));
    f.store(0, i, i % 10 == 9 ? values.back() : Scalar(0.0));
  }
  return f;
}

/// Replays the parts: every operand is defined in its part or loaded into it, every load sees the value saved last,
/// no part saves where it loads from.
void check_parts(const Kernel& kernel) {
  std::map<int, NodeId> workspace;
  for (const StraightLine* line : kernel.straight_lines()) {
    const StraightLine& part = *line;
    std::set<NodeId> known;
    for (const Transfer& load : part.loads) {
      REQUIRE(workspace.count(load.slot) == 1);
      CHECK(workspace[load.slot] == load.value);
      known.insert(load.value);
    }
    for (const Statement& s : part.statements) {
      if (s.store < 0) known.insert(s.value);
    }
    for (const Transfer& save : part.saves) {
      CHECK(known.count(save.value) == 1);
      for (const Transfer& load : part.loads) CHECK(load.slot != save.slot);
      CHECK(save.slot < kernel.workspace_size);
      workspace[save.slot] = save.value;
    }
  }
}

}  // namespace

TEST_CASE("every output entry is stored exactly once, right behind its value") {
  const Kernel kernel = schedule(chain(100, 3));
  std::set<int> stores;
  REQUIRE(kernel.straight_lines().size() == 1);
  const auto& statements = kernel.straight_lines().front()->statements;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].store < 0) continue;
    CHECK(stores.insert(statements[i].store).second);
    if (!kernel.graph.is_constant(statements[i].value)) CHECK(statements[i - 1].value == statements[i].value);
  }
  CHECK(stores.size() == kernel.stores.size());
  CHECK(kernel.num_statements() == static_cast<int>(statements.size()));
}

TEST_CASE("parts hand values on through the workspace") {
  for (const int limit : {7, 20, 64}) {
    for (const int reach : {2, 15, 60}) {
      const Kernel kernel = schedule(chain(150, reach), {.max_operations = limit});
      CHECK(kernel.straight_lines().size() > 1);
      for (const StraightLine* part : kernel.straight_lines())
        CHECK(static_cast<int>(part->statements.size()) <= limit);
      check_parts(kernel);
    }
  }
}

TEST_CASE("workspace slots are reused") {
  const Kernel kernel = schedule(chain(600, 2), {.max_operations = 20});
  CHECK(kernel.straight_lines().size() > 20);
  CHECK(kernel.workspace_size <= 4);
}

TEST_CASE("zeros of outputs stay apart: stored in rows, or by clearing the output where there are many") {
  for (const int length : {100, 200}) {
    const Kernel kernel = schedule(chain(length, 3), {.zeros_apart = true});
    const std::vector<const Clear*> clears = kernel.steps_of<Clear>();
    REQUIRE(clears.size() == 1);
    CHECK(clears.front()->once);
    CHECK(clears.front()->entries.size() == (length == 100 ? 90 : 0));
    CHECK(kernel.has_nonzeros_form());
    for (const Statement& s : kernel.straight_lines().front()->statements)
      CHECK_FALSE((s.store >= 0 && kernel.graph.is_constant(s.value)));
    CHECK_FALSE(schedule(chain(length, 3)).has_nonzeros_form());
  }
  // Ten rows of nine zeros are one statement.
  CHECK(schedule(chain(100, 3), {.zeros_apart = true}).num_statements() ==
        schedule(chain(100, 3)).num_statements() - 90 + 1);
}

TEST_CASE("many zeros are stored a group at a time, between the statements of all parts") {
  constexpr int length = 600, most = 10;  // fifty rows of eight zeros, two stores each
  Kernel graph;
  graph.inputs = {{"x", 2}};
  graph.outputs = {{"y", length}};
  Scalar value = graph.input(0, 0);
  for (int i = 0; i < length; ++i) {
    const bool is_zero = i % 12 < 8;
    if (!is_zero) value = value * graph.input(0, 1) + Scalar(0.5);
    graph.store(0, i, is_zero ? Scalar(0.0) : value);
  }
  const ScheduleOptions front{.max_operations = 150, .zeros_at_once = 100, .zeros_apart = true},
      between{.max_operations = 150, .zeros_at_once = most, .zeros_apart = true};
  CHECK(schedule(graph, front).clears().size() == 1);
  const Kernel kernel = schedule(graph, between);
  CHECK(kernel.steps_of<Clear>().size() == 1);  // what is done while sines and cosines are computed
  CHECK(kernel.clears().size() == 10);
  CHECK(kernel.straight_lines().size() == 4);
  for (const StraightLine* line : kernel.straight_lines()) {
    CHECK(line->zeros.size() >= 2);
    for (const ZerosBetween& group : line->zeros) CHECK(group.before < line->statements.size());
  }
  std::set<int> zeros;
  for (const Clear* clear : kernel.clears()) {
    CHECK(clear->once);
    CHECK(stores_of_four(clear->entries) == most);
    zeros.insert(clear->entries.begin(), clear->entries.end());
  }
  CHECK(zeros.size() == 400);
  const std::vector<std::vector<double>> x{{0.3, 0.4}};
  const auto dense = KernelInterpreter<double>(kernel, x).run();
  CHECK(dense == KernelInterpreter<double>(schedule(graph), x).run());
  auto kept = KernelInterpreter<double>(kernel, x).run_nonzeros({std::vector<double>(length, 7.0)});
  for (const int k : zeros) CHECK(std::exchange(kept[0][static_cast<std::size_t>(k)], 0.0) == 7.0);
  CHECK(kept == dense);
}

TEST_CASE("an unnamed value with one user is printed inside it, up to a size") {
  Kernel f;
  f.inputs = {{"x", 4}};
  f.outputs = {{"y", 1}};
  Scalar sum = f.input(0, 0) * f.input(0, 1);
  for (int i = 0; i < 20; ++i) sum = sum * f.input(0, 2) + f.input(0, 3);
  f.store(0, 0, sum);
  const Kernel kernel = schedule(f, {.max_inline_operations = 6});
  CHECK(kernel.num_statements() > 2);
  CHECK(kernel.num_statements() < 12);
}

TEST_CASE("all angles of a function are collected once, and what makes them is printed there") {
  Kernel f;
  f.inputs = {{"q", 2}};
  f.outputs = {{"y", 2}};
  const Scalar shifted = f.input(0, 1) + Scalar(0.3);
  f.store(0, 0, sin(f.input(0, 0)) * cos(f.input(0, 0)));
  f.store(0, 1, sin(shifted));
  const Kernel kernel = schedule(f);
  REQUIRE(kernel.angles().size() == 2);
  CHECK(kernel.angles()[0] == f.input(0, 0).id());
  CHECK(kernel.inlined[kernel.angles()[1]]);
}

TEST_CASE("an angle may be a root of products, and statements that use it compute it, too") {
  Kernel f;
  f.inputs = {{"x", 3}};
  f.outputs = {{"y", 3}};
  const Scalar square = f.input(0, 0) * f.input(0, 0) + f.input(0, 1) * f.input(0, 1), size = sqrt(square);
  const Scalar half = size * Scalar(0.5), shifted = f.input(0, 2) + Scalar(0.3);
  f.store(0, 0, sin(half) / size + square);
  f.store(0, 1, cos(half) * sin(shifted));
  f.store(0, 2, shifted);
  const Kernel kernel = schedule(f, {.max_inline_operations = 0});
  CHECK_FALSE(kernel.inlined[size.id()]);
  CHECK_FALSE(kernel.inlined[square.id()]);
  CHECK(kernel.inlined[half.id()]);     // only the angle array has it
  CHECK(kernel.inlined[shifted.id()]);  // short
  const std::vector<std::vector<double>> x{{0.3, -0.4, 0.1}};
  CHECK(KernelInterpreter<>(kernel, x).run() == evaluate(f, x));
}

TEST_CASE("a function without outputs has one empty part") {
  Kernel f;
  f.inputs = {{"q", 1}};
  const Kernel kernel = schedule(f);
  CHECK(kernel.straight_lines().size() == 1);
  CHECK(kernel.num_statements() == 0);
}

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
