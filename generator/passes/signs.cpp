#include "passes/simplify.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace featherline::passes {
namespace {

/// Which nodes should compute minus their value so that negations disappear. A node may flip when it has one use;
/// a flip costs nothing where a difference can be reversed, a constant absorbs the sign, or an operand flips.
/// What has several uses may flip, too: where one of them cannot absorb the new sign, that costs.
enum class Shared { never, differences_not_stored, differences_mostly_negated, differences };

class FlipPlan {
 public:
  FlipPlan(const Kernel& kernel, Shared shared)
      : graph_(kernel.graph),
        uses_(ir::count_uses(kernel)),
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
  const std::vector<bool>& flipped() const { return flipped_; }

 private:
  bool may_flip(NodeId id) const {
    if (flipped_[id]) return false;
    if (uses_[id] == 1) return true;
    return graph_[id].op == Op::sub &&
           (shared_ == Shared::differences || (shared_ == Shared::differences_not_stored && !stored_[id]) ||
            (shared_ == Shared::differences_mostly_negated && negated_uses_[id] > 0));
  }

  /// A node on the way to one that can flip, and how many of its operands were tried.
  struct Attempt {
    NodeId node;
    int tried = 0;
  };

  /// Depth first, with a stack of its own: chains of additions can be long. All nodes on the stack flip if the last one
  /// does.
  void flip(NodeId root) {
    std::vector<Attempt> way{{root}};
    while (!way.empty()) {
      Attempt& last = way.back();
      const Node& node = graph_[last.node];
      const bool passes = node.op == Op::mul || node.op == Op::add || node.op == Op::div;
      const bool absorbs = node.op == Op::sub || (node.op == Op::mul && graph_.is_constant(node.a));
      if (last.tried == 0 && !may_flip(last.node)) {
        way.pop_back();
      } else if (absorbs) {
        for (const Attempt& attempt : way) flipped_[attempt.node] = true;
        return;
      } else if (passes && last.tried < 2) {
        way.push_back({last.tried++ == 0 ? node.a : node.b});
      } else {
        way.pop_back();
      }
    }
  }

  const ir::Graph& graph_;
  std::vector<int> uses_;
  Shared shared_;
  std::vector<bool> stored_, flipped_;
  std::vector<int> negated_uses_;  ///< uses of minus the value, less its stores
};

class Sinking : public Rewriter {
 public:
  Sinking(const Kernel& kernel, const std::vector<bool>& flipped) : Rewriter(kernel), flipped_(flipped) {}

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (!flipped_[id]) return rebuild(id);
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

  const std::vector<bool>& flipped_;
};

bool is_product(Op op) { return op == Op::mul || op == Op::div; }

/// Which nodes compute minus their value so that more names are those of the quantity itself, and negations vanish. A
/// difference turns round for free, and a constant factor takes a sign; a sum turns where both of its terms do, a
/// product where one factor does. Each turn is tried with all that it forces in the nodes above, and kept where names
/// get better and nothing is added.
class SignChoice {
 public:
  explicit SignChoice(const Kernel& kernel)
      : graph_(kernel.graph), stored_(graph_.size(), false), turned_(graph_.size(), false) {
    const std::vector<bool> live = ir::live_nodes(kernel);
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (!live[id]) continue;
      for (const NodeId operand : ir::Operands(graph_[id])) uses_.emplace_back(operand, id);
    }
    std::ranges::sort(uses_);
    for (const ir::Store& s : kernel.stores) stored_[s.value] = true;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (!live[id]) continue;
      if (gain(id) > 0) try_to_turn(id);
      if (graph_[id].op == Op::neg && !turned_[graph_[id].a]) try_to_turn(graph_[id].a);
    }
  }
  bool turned(NodeId id) const { return turned_[id]; }

 private:
  void open_users(NodeId id, std::set<NodeId>& open) const {
    auto use = std::ranges::lower_bound(uses_, std::pair(id, NodeId{0}));
    for (; use != uses_.end() && use->first == id; ++use) open.insert(use->second);
  }

  bool has_constant_factor(const Node& node) const {
    return graph_.is_constant(node.a) || graph_.is_constant(node.b);
  }

  /// Of turning a node once more: a "neg_" goes, or comes.
  int gain(NodeId id) const {
    const std::string& name = graph_.node_name(id);
    if (name.empty()) return 0;
    return name.starts_with("neg_") != turned_[id] ? 1 : -1;
  }

  /// Whether both terms of a sum would have to be subtracted.
  bool all_negative(NodeId id) const {
    const Node& node = graph_[id];
    const bool a = turned_[node.a] != turned_[id], b = turned_[node.b] != turned_[id];
    return a && b != (node.op == Op::sub);
  }

  void try_to_turn(NodeId start) {
    const Node& node = graph_[start];
    if (!(is_sum(node.op) || (is_product(node.op) && has_constant_factor(node)))) return;
    std::vector<NodeId> changed;
    if (!(turn(start, changed) && !(is_sum(node.op) && all_negative(start)) && settle_users(changed) &&
          total_ > 0)) {
      for (const NodeId id : changed) turned_[id] = !turned_[id];
    }
    total_ = 0;
  }

  bool turn(NodeId id, std::vector<NodeId>& changed) {
    total_ += gain(id);
    turned_[id] = !turned_[id];
    changed.push_back(id);
    return !stored_[id];
  }

  /// Turns what has to follow, users of higher number later: all their operands are then settled.
  bool settle_users(std::vector<NodeId>& changed) {
    constexpr int longest = 300;
    std::set<NodeId> open;
    open_users(changed.front(), open);
    for (int steps = 0; !open.empty(); ++steps) {
      const NodeId id = *open.begin();
      open.erase(open.begin());
      const Node& node = graph_[id];
      if (node.op == Op::neg) {
        if (!turned_[node.a]) return false;  // it had become the value itself
        ++total_;
        continue;
      }
      if (steps > longest || !(is_sum(node.op) || is_product(node.op))) return false;
      const bool follows =
          is_sum(node.op) ? all_negative(id)
                          : !has_constant_factor(node) && turned_[id] != (turned_[node.a] != turned_[node.b]);
      if (!follows) continue;
      if (!turn(id, changed)) return false;
      open_users(id, open);
    }
    return true;
  }

  const ir::Graph& graph_;
  /// Operand and user, sorted: a million small vectors would take longer than the pass.
  std::vector<std::pair<NodeId, NodeId>> uses_;
  std::vector<bool> stored_, turned_;
  int total_ = 0;
};

class Turning : public Rewriter {
 public:
  explicit Turning(const Kernel& kernel) : Rewriter(kernel), signs_(kernel) {}

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (is_product(node.op) && is_constant(node.a) != is_constant(node.b)) return scaled(id);
    if (!signs_.turned(id) || !is_sum(node.op)) return rebuild(id);
    const Scalar &a = value(node.a), &b = value(node.b);
    return node.op == Op::add ? -((-a) + (-b)) : -((-a) + b);
  }

 private:
  bool is_constant(NodeId id) const { return source().graph.is_constant(id); }

  /// c * x or c / x: the number takes the sign that is wanted.
  Scalar scaled(NodeId id) {
    const Node& node = source().graph[id];
    const bool first = is_constant(node.a);
    const Scalar& x = value(first ? node.b : node.a);
    if (x.is_constant()) return rebuild(id);  // folded to a number on the way
    const std::vector<double>& number = source().graph.lane_values(first ? node.a : node.b);
    const bool turned = signs_.turned(id);
    const NodeId factor = graph().constant(x.negated() != turned ? ir::negatives(number) : number);
    return {graph(), first ? graph().node(node.op, factor, x.id()) : graph().node(node.op, x.id(), factor),
            turned};
  }

  SignChoice signs_;
};

}  // namespace

Kernel sink_negations(const Kernel& kernel) {
  std::set<std::vector<bool>> tried;
  std::optional<Kernel> best;
  for (const Shared shared : {Shared::never, Shared::differences_not_stored,
                              Shared::differences_mostly_negated, Shared::differences}) {
    const auto [flipped, is_new] = tried.insert(FlipPlan(kernel, shared).flipped());
    if (!is_new) continue;
    Kernel sunk = Sinking(kernel, *flipped).run();
    best = best ? with_fewer_flops(*std::move(best), std::move(sunk)) : std::move(sunk);
  }
  return *std::move(best);
}

Kernel prefer_positive_names(const Kernel& kernel) { return with_fewer_flops(Turning(kernel).run(), kernel); }

}  // namespace featherline::passes
