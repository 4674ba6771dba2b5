#include "ir/dump.hpp"
#include "passes/passes.hpp"

namespace featherline::passes {

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", in_order},
      {"dead-code", remove_dead_code},
      {"factor-products", factor_products},
      {"sink-negations", sink_negations},
  };
  return passes;
}

ir::Function simplify(ir::Function function, const Observer& observer) {
  for (const Pass& pass : simplifying_passes()) {
    function = pass.run(function);
    observer.done(pass.name, [&] { return ir::dump(function); });
  }
  return function;
}

}  // namespace featherline::passes
