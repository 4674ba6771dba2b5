#include "ir/dump.hpp"
#include "passes/passes.hpp"
#include "passes/rewrite.hpp"
#include "support/decimal.hpp"

#include <cmath>

namespace featherline::passes {
namespace {

class RoundConstants : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  ir::Scalar rewrite(ir::NodeId id) override {
    if (!source().graph.is_constant(id)) return rebuild(id);
    std::vector<double> lanes = source().graph.lane_values(id);
    for (double& x : lanes) x = without_rounding(x, std::abs(x));
    return lane_numbers(graph(), lanes);
  }
};

}  // namespace

ir::Function remove_dead_code(const ir::Function& function) { return Rewriter(function).run(); }

ir::Function round_constants(const ir::Function& function) { return RoundConstants(function).run(); }

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", in_order},
      {"round-constants", round_constants},
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
