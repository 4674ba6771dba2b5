#include "passes/passes.hpp"
#include "passes/rewrite.hpp"

#include <vector>

namespace featherline::passes {
namespace {

using ir::Node;
using ir::NodeId;
using ir::Op;
using ir::Scalar;

/// Which nodes should compute minus their value so that negations disappear. A node may flip when it has one use;
/// a flip costs nothing where a difference can be reversed, a constant absorbs the sign, or an operand flips.
/// What has several uses may flip, too: where one of them cannot absorb the new sign, that costs.
enum class Shared { never, differences_not_stored, differences_mostly_negated, differences };

class FlipPlan {
 public:
  FlipPlan(const ir::Kernel& kernel, Shared shared)
      : graph_(kernel.graph),
        uses_(count_uses(kernel)),
        shared_(shared),
        stored_(graph_.size(), false),
        flipped_(graph_.size(), false),
        negated_uses_(graph_.size(), 0) {
    for (const ir::Store& store : kernel.stores) {
      stored_[store.value] = true;
      --negated_uses_[store.value];
    }
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (graph_[id].op == Op::neg) negated_uses_[graph_[id].a] += uses_[id];
    }
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (uses_[id] > 0 && graph_[id].op == Op::neg) flip(graph_[id].a);
    }
  }
  bool flipped(NodeId id) const { return flipped_[id]; }

 private:
  bool may_flip_shared(NodeId id) const {
    switch (shared_) {
      case Shared::never:
        return false;
      case Shared::differences_not_stored:
        return !stored_[id];
      case Shared::differences_mostly_negated:
        return negated_uses_[id] > 0;
      case Shared::differences:
        return true;
    }
    return false;
  }

  bool flip(NodeId id) {
    const Node& node = graph_[id];
    const bool may_flip = uses_[id] == 1 || (node.op == Op::sub && may_flip_shared(id));
    if (!may_flip || flipped_[id]) return false;
    bool possible = false;
    switch (node.op) {
      case Op::sub:
        possible = true;
        break;
      case Op::mul:
        possible = graph_.is_constant(node.a) || flip(node.a) || flip(node.b);
        break;
      case Op::add:
      case Op::div:
        possible = flip(node.a) || flip(node.b);
        break;
      default:
        break;
    }
    return flipped_[id] = possible;
  }

  const ir::Graph& graph_;
  std::vector<int> uses_;
  Shared shared_;
  std::vector<bool> stored_;
  std::vector<bool> flipped_;
  std::vector<int> negated_uses_;  ///< uses of minus the value, less its stores
};

class Sinking : public Rewriter {
 public:
  Sinking(const ir::Kernel& kernel, Shared shared) : Rewriter(kernel), plan_(kernel, shared) {}

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (!plan_.flipped(id)) return rebuild(id);
    switch (node.op) {
      case Op::add:
        return -(-value(node.a) - value(node.b));
      case Op::sub:
        return -(value(node.b) - value(node.a));
      case Op::mul:
        return source().graph.is_constant(node.a) ? scaled_by_negative(node) : rebuild(id);
      default:
        return rebuild(id);  // the sign of a flipped operand passes through
    }
  }

 private:
  /// c * x as -((-c) * x): a negative literal instead of a negation.
  Scalar scaled_by_negative(const Node& node) {
    const Scalar& x = value(node.b);
    if (x.is_constant() || !value(node.a).is_constant()) return value(node.a) * x;
    const NodeId factor = graph().constant(-value(node.a).value());
    return {graph(), graph().node(Op::mul, factor, x.id()), !x.negated()};
  }

  FlipPlan plan_;
};

}  // namespace

ir::Kernel sink_negations(const ir::Kernel& kernel) {
  ir::Kernel best = Sinking(kernel, Shared::never).run();
  int fewest = ir::count_cost(best).flops;
  for (const Shared shared :
       {Shared::differences_not_stored, Shared::differences_mostly_negated, Shared::differences}) {
    ir::Kernel other = Sinking(kernel, shared).run();
    const int flops = ir::count_cost(other).flops;
    if (flops >= fewest) continue;
    fewest = flops;
    best = std::move(other);
  }
  return best;
}

}  // namespace featherline::passes
