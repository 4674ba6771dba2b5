#include "cost/estimate.hpp"

#include "cost/time.hpp"

#include "passes/schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace featherline::cost;
using namespace featherline::ir;
using namespace featherline::passes;

namespace {

/// `count` products of two inputs, and the sum of them all in the order they were made, or in the opposite one.
Kernel sum_of_products(int count, bool last_first, bool named = true) {
  Kernel f;
  f.name = "sums";
  f.inputs = {{"x", count + 1}};
  f.outputs = {{"y", 1}};
  std::vector<Scalar> products;
  for (int i = 0; i < count; ++i) {
    products.push_back(f.input(0, i) * f.input(0, i + 1));
    if (named) f.name_value(products.back(), "p" + std::to_string(i));
  }
  Scalar sum = last_first ? products.back() : products.front();
  for (int i = 1; i < count; ++i)
    sum = sum + products[static_cast<std::size_t>(last_first ? count - 1 - i : i)];
  f.store(0, 0, sum);
  return schedule(std::move(f));
}

/// y = x0 x1 + x2, without a name.
Kernel one_sum() {
  Kernel f;
  f.name = "one";
  f.inputs = {{"x", 3}};
  f.outputs = {{"y", 1}};
  f.store(0, 0, f.input(0, 0) * f.input(0, 1) + f.input(0, 2));
  return schedule(std::move(f));
}

Kernel unscheduled(Kernel kernel) {
  kernel.steps.clear();
  return kernel;
}

}  // namespace

TEST_CASE("operations, stores and fusing are counted") {
  const InstructionCounts counts = count_instructions(one_sum());
  CHECK(counts.operations == 2);
  CHECK(counts.fused == 1);
  CHECK(counts.stores == 1);
  CHECK(counts.reloads == 0);
  CHECK(counts.spill_slots == 0);
}

TEST_CASE("values that outnumber the registers are spilled, and only these") {
  for (const bool last_first : {false, true}) {
    CAPTURE(last_first);
    CHECK(count_instructions(sum_of_products(14, last_first)).spill_slots == 0);
    const InstructionCounts counts = count_instructions(sum_of_products(40, last_first));
    CHECK(counts.operations == 79);
    CHECK(counts.spill_slots == 40 - 14);
    CHECK(counts.reloads == 40 - 14);
  }
}

TEST_CASE("estimates grow with the program, and float on a microcontroller takes less") {
  const Kernel small = one_sum(), large = sum_of_products(200, true);
  for (const Target target : {Target::x86_64, Target::cortex_m7}) {
    CHECK(estimate(small, target).code_bytes < 150);
    CHECK(estimate(large, target).code_bytes > 10 * estimate(small, target).code_bytes);
    CHECK(estimate(small, target).stack_bytes < 20);
  }
  CHECK(estimate(large).stack_bytes > 10 * estimate(small).stack_bytes);
  CHECK(estimate(large, Target::cortex_m7).code_bytes < estimate(large, Target::x86_64).code_bytes);
}

TEST_CASE("a Cortex-M fuses products into sums and has slots for what outnumbers its registers") {
  // Every product without a name becomes part of a sum, whose operands are read where they are.
  CHECK(estimate(sum_of_products(200, true, false), Target::cortex_m7).stack_bytes == 0);
  Kernel f;
  f.name = "product_of_sums";
  f.inputs = {{"x", 101}};
  f.outputs = {{"y", 1}};
  std::vector<Scalar> sums;
  for (int i = 0; i < 100; ++i) {
    sums.push_back(f.input(0, i) + f.input(0, i + 1));
    f.name_value(sums.back(), "s" + std::to_string(i));
  }
  Scalar product = sums.back();
  for (std::size_t i = sums.size() - 1; i-- > 0;) product = product * sums[i];
  f.store(0, 0, product);
  const int stack = estimate(schedule(std::move(f)), Target::cortex_m7).stack_bytes;
  CHECK(stack >= 4 * (100 - 32) + 64);  // slots, and the saved half of the registers
  CHECK(stack <= 4 * (100 - 28) + 64 + 40);
}

TEST_CASE("cycles on a Cortex-M are those of a pipeline in order, and a sum over counts") {
  CHECK_FALSE(estimate(one_sum()).cycles);
  // Three loads, a fused multiplication and addition that waits for them, a store that waits for it.
  const std::vector<double> m7 = cycle_counts(one_sum(), Target::cortex_m7),
                            m4 = cycle_counts(one_sum(), Target::cortex_m4f);
  CHECK(m7 == std::vector<double>{10, 1, 0, 3, 1, 0, 0, 0, 0});
  CHECK(m4 == std::vector<double>{8, 1, 0, 3, 1, 0, 0, 0, 0});
  for (const Target target : {Target::cortex_m7, Target::cortex_m4f}) {
    const int small = *estimate(one_sum(), target).cycles;
    CHECK(small == std::ceil(weighted_sum(cycle_terms(target), cycle_counts(one_sum(), target)) - 1e-6));
    // A chain of sums waits where products side by side do not.
    const int chain = *estimate(sum_of_products(200, true, false), target).cycles;
    CHECK(chain > 200 * (target == Target::cortex_m7 ? 2 : 1));
    CHECK(*estimate(one_sum(), target, 4).cycles > small);
    CHECK(*estimate(one_sum(), target, 4).cycles <= small + 12);  // two lines and a half
  }
}

TEST_CASE("what goes through the workspace counts as stores and reloads") {
  ScheduleOptions short_parts;
  short_parts.max_operations = 20;
  const Kernel whole = sum_of_products(60, true);
  const Kernel parts = schedule(unscheduled(whole), short_parts);
  REQUIRE(parts.straight_lines().size() > 1);
  CHECK(count_instructions(parts).operations == count_instructions(whole).operations);
  CHECK(count_instructions(parts).stores > count_instructions(whole).stores);
  CHECK(estimate(parts).stack_bytes >= 8 * parts.workspace_size);
}

TEST_CASE("a cold call waits for its code") {
  const Figures small = estimate(one_sum()), large = estimate(sum_of_products(200, true));
  CHECK(*small.cold_ns > *small.ns);
  CHECK(*large.cold_ns - *small.cold_ns > 4.0 * (*large.ns - *small.ns));
  CHECK(large.work.run_code == large.code_bytes);
  CHECK(large.work.data_bytes == 8 * 202);
  CHECK_FALSE(estimate(one_sum(), Target::cortex_m7).cold_ns);
}
