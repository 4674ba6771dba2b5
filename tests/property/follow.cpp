#include "follow.hpp"

#include "ir/interpreter.hpp"
#include "passes/pack.hpp"
#include "passes/schedule.hpp"
#include "passes/simplify.hpp"
#include "verify/probes.hpp"

#include <doctest/doctest.h>

namespace featherline::test {
namespace {

using Arrays = std::vector<std::vector<double>>;

reference::Outputs named(const ir::Kernel& function, const Arrays& arrays) {
  reference::Outputs outputs;
  for (std::size_t k = 0; k < arrays.size(); ++k) outputs.push_back({function.outputs[k].name, arrays[k]});
  return outputs;
}

/// The outputs, without local arrays.
Arrays outputs_of(const ir::Kernel& function, const Arrays& inputs) {
  Arrays arrays = ir::evaluate(function, inputs);
  arrays.resize(function.outputs.size());
  return arrays;
}

/// What the packed form of a function gives, spread into dense arrays.
Arrays run_packed(const ir::Kernel& function, const Arrays& inputs) {
  const passes::PackedKernel packed = passes::pack(function);
  const Arrays values = ir::KernelInterpreter<>(passes::schedule(packed.kernel), inputs).run();
  Arrays dense;
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
  const Arrays inputs = verify::inputs_of(traced, x);
  const auto error = [&](const Arrays& found) {
    return reference::compare(judge.compared(x, named(traced, found)), expected).relative;
  };
  if (!traced.calls().empty()) {  // only a program runs what it calls
    CHECK(error(ir::KernelInterpreter<>(passes::make_program(passes::simplify(traced), {}), inputs).run()) <=
          allowed);
    return;
  }
  Arrays before = outputs_of(traced, inputs);
  CHECK(error(before) <= allowed);

  ir::Kernel function = traced;
  for (const passes::Pass& pass : passes::simplifying_passes()) {
    CAPTURE(pass.name);
    function = pass.run(function);
    const Arrays after = outputs_of(function, inputs);
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
