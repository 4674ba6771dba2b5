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

}  // namespace featherline::passes
