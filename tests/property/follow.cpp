#include "follow.hpp"

#include "ir/interpreter.hpp"
#include "passes/schedule.hpp"
#include "passes/simplify.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

namespace featherline::test {
namespace {

using Values = std::vector<std::vector<double>>;

reference::Outputs named(const ir::Kernel& function, const Values& arrays) {
  reference::Outputs outputs;
  for (std::size_t k = 0; k < arrays.size(); ++k) outputs.push_back({function.outputs[k].name, arrays[k]});
  return outputs;
}

/// The outputs, without local arrays.
Values outputs_of(const ir::Kernel& function, const Values& inputs) {
  Values arrays = ir::evaluate(function, inputs);
  arrays.resize(function.outputs.size());
  return arrays;
}

/// What the packed form of a function gives, spread into dense arrays.
Values run_packed(const ir::Kernel& function, const Values& inputs) {
  const passes::PackedKernel packed = passes::pack(function);
  const Values values = ir::KernelInterpreter<>(passes::schedule(packed.kernel), inputs).run();
  Values dense;
  for (std::size_t k = 0; k < packed.maps.size(); ++k) {
    dense.emplace_back(static_cast<std::size_t>(function.outputs[k].size), 0.0);
    for (const passes::PackedEntry& entry : packed.maps[k]) {
      const double value = values[k].at(static_cast<std::size_t>(entry.packed_index));
      dense.back().at(static_cast<std::size_t>(entry.dense_index)) = entry.negated ? -value : value;
    }
  }
  return dense;
}

}  // namespace

void follow(const ir::Kernel& traced, const reference::OutputFunction& judge, const reference::State& x,
            const reference::Outputs& expected, double allowed) {
  const Values inputs = verify::inputs_of(traced, x);
  const auto error = [&](const Values& found) {
    return reference::compare(judge.compared(x, named(traced, found)), expected).relative;
  };
  if (!traced.calls().empty()) {  // only a program runs what it calls
    CHECK(error(ir::KernelInterpreter<>(passes::make_program(passes::simplify(traced), {}), inputs).run()) <=
          allowed);
    return;
  }
  Values before = outputs_of(traced, inputs);
  CHECK(error(before) <= allowed);

  ir::Kernel function = traced;
  for (const passes::Pass& pass : passes::simplifying_passes()) {
    CAPTURE(pass.name);
    function = pass.run(function);
    const Values after = outputs_of(function, inputs);
    CHECK(reference::compare(named(function, after), named(function, before)).relative <= allowed);
    CHECK(error(after) <= allowed);
    before = after;
  }
  // The schedule reorders and splits, and computes nothing differently: equal to the last bit.
  for (const int max_operations : {20, 1000}) {
    CAPTURE(max_operations);
    passes::ScheduleOptions options;
    options.max_operations = max_operations;
    const ir::Kernel kernel = passes::schedule(function, options);
    CHECK(ir::KernelInterpreter<>(kernel, inputs).run() == before);
  }
  CHECK(run_packed(function, inputs) == before);
}

}  // namespace featherline::test
