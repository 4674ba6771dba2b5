#include "ir/kernel.hpp"
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

ir::Kernel remove_dead_code(const ir::Kernel& kernel) { return Rewriter(kernel).run(); }

ir::Kernel round_constants(const ir::Kernel& kernel) { return RoundConstants(kernel).run(); }

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", in_order},
      {"round-constants", round_constants},
      {"factor-products", factor_products},
      {"sink-negations", sink_negations},
  };
  return passes;
}

ir::Kernel simplify(ir::Kernel kernel, const Observer& observer) {
  for (const Pass& pass : simplifying_passes()) {
    kernel = pass.run(kernel);
    observer.done(pass.name, [&] { return ir::dump(kernel); });
  }
  return kernel;
}

}  // namespace featherline::passes
