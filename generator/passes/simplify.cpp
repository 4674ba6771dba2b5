#include "passes/simplify.hpp"

#include "passes/rewrite.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace featherline::passes {
namespace {

using ir::Node;
using ir::NodeId;
using ir::Op;
using ir::Scalar;

/// By node a number that depends on what the node computes alone, not on when it was created.
class Fingerprints {
 public:
  explicit Fingerprints(const ir::Graph& graph) : graph_(graph) {}

  std::uint64_t of(NodeId id) {
    while (prints_.size() <= id) prints_.push_back(compute(static_cast<NodeId>(prints_.size())));
    return prints_[id];
  }

 private:
  static std::uint64_t mix(std::uint64_t x, std::uint64_t y) {
    x = (x ^ y) * 0x9E3779B97F4A7C15ull;
    return x ^ (x >> 29);
  }
  std::uint64_t compute(NodeId id) const {
    const Node& node = graph_[id];
    std::uint64_t print = mix(static_cast<std::uint64_t>(node.op), node.lanes);
    switch (node.op) {
      case Op::constant:
        for (const double value : graph_.lane_values(id))
          print = mix(print, std::bit_cast<std::uint64_t>(value));
        return print;
      case Op::gather:
        for (const int entry : graph_.entries(id)) print = mix(print, static_cast<std::uint64_t>(entry));
        return mix(print, node.a);
      case Op::input:
        return mix(mix(print, node.a), node.b);
      case Op::lane:
        return mix(mix(print, prints_[node.a]), node.b);
      case Op::add:
      case Op::mul: {  // in either order
        const std::uint64_t a = prints_[node.a], b = prints_[node.b];
        return mix(print, a + b + a * b);
      }
      default:
        for (const NodeId operand : ir::Operands(node)) print = mix(print, prints_[operand]);
        return print;
    }
  }

  const ir::Graph& graph_;
  std::vector<std::uint64_t> prints_;
};

/// The live nodes in the order in which their algorithm kept them, each right behind those it needs.
class Order {
 public:
  explicit Order(const ir::Kernel& kernel)
      : graph_(kernel.graph),
        live_(ir::live_nodes(kernel)),
        placed_(graph_.size(), false),
        fingerprints_(graph_) {}

  std::vector<Rewriter::Visit> run() {
    for (const ir::Graph::Kept& kept : graph_.kept()) {
      if (live_[kept.value]) place(kept.value, kept.section);
    }
    return std::move(order_);
  }

 private:
  /// Depth first, with a stack of its own: chains of additions can be long.
  void place(NodeId root, std::uint32_t section) {
    std::vector<NodeId> stack{root};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      const std::size_t height = stack.size();
      if (!placed_[id]) push_operands(id, stack);
      if (stack.size() > height) continue;
      if (!placed_[id]) order_.push_back({id, section});
      placed_[id] = true;
      stack.pop_back();
    }
  }

  /// Those that are not placed yet, the first one on top: as they were written; where that was both ways, by
  /// fingerprint.
  void push_operands(NodeId id, std::vector<NodeId>& stack) {
    const Node& node = graph_[id];
    const auto height = static_cast<std::ptrdiff_t>(stack.size());
    for (const NodeId operand : ir::Operands(node)) {
      if (!placed_[operand]) stack.push_back(operand);
    }
    const bool swapped =
        graph_.has_both_orders(id) ? fingerprints_.of(node.b) < fingerprints_.of(node.a) : node.swapped;
    if (!swapped) std::reverse(stack.begin() + height, stack.end());
  }

  const ir::Graph& graph_;
  std::vector<bool> live_, placed_;
  Fingerprints fingerprints_;
  std::vector<Rewriter::Visit> order_;
};

/// a*b + a*c as a * (b + c).
struct Factored {
  NodeId common, left, right;
};

class Factoring : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (!is_sum(node.op)) return rebuild(id);
    const std::optional<Factored> f = common_factor(node);
    return f ? value(f->common) * apply(node.op, value(f->left), value(f->right)) : rebuild(id);
  }

 private:
  /// Only where both products are used nowhere else: otherwise nothing is saved.
  std::optional<Factored> common_factor(const Node& node) const {
    const Node& x = source().graph[node.a];
    const Node& y = source().graph[node.b];
    if (x.op != Op::mul || y.op != Op::mul || uses(node.a) != 1 || uses(node.b) != 1) return std::nullopt;
    if (x.a == y.a) return Factored{x.a, x.b, y.b};
    if (x.a == y.b) return Factored{x.a, x.b, y.a};
    if (x.b == y.a) return Factored{x.b, x.a, y.b};
    if (x.b == y.b) return Factored{x.b, x.a, y.a};
    return std::nullopt;
  }
};

class RoundConstants : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  Scalar rewrite(NodeId id) override {
    if (!source().graph.is_constant(id)) return rebuild(id);
    std::vector<double> lanes = source().graph.lane_values(id);
    for (double& x : lanes) x = round_number(x, std::abs(x));
    return lane_numbers(graph(), lanes);
  }
};

/// The kernel after `change` was applied to the bodies of its calls and to the steps of its walk.
template <class Change>
ir::Kernel with_steps(ir::Kernel kernel, const Change& change) {
  std::map<std::shared_ptr<const ir::Kernel>, std::shared_ptr<const ir::Kernel>> bodies;
  for (ir::Step& step : kernel.steps) {
    auto* call = std::get_if<ir::Call>(&step);
    if (call != nullptr && call->body) {
      std::shared_ptr<const ir::Kernel>& changed = bodies[call->body];
      if (!changed) changed = std::make_shared<const ir::Kernel>(change(*call->body));
      call->body = changed;
    }
    if (call == nullptr || !call->walk) continue;
    ir::LinkWalk walk = *call->walk;
    for (ir::Kernel& outwards : walk.steps) outwards = change(std::move(outwards));
    call->walk = std::make_shared<ir::LinkWalk>(std::move(walk));
  }
  return kernel;
}

}  // namespace

ir::Kernel order_as_kept(const ir::Kernel& kernel) { return Rewriter(kernel, Order(kernel).run()).run(); }

ir::Kernel remove_dead_code(const ir::Kernel& kernel) { return Rewriter(kernel).run(); }

ir::Kernel round_constants(const ir::Kernel& kernel) { return RoundConstants(kernel).run(); }

ir::Kernel factor_products(const ir::Kernel& kernel) { return Factoring(kernel).run(); }

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", order_as_kept},
      {"round-constants", round_constants},
      {"factor-products", factor_products},
      {"mirror-limbs", mirror_limbs},
      {"sink-negations", sink_negations},
  };
  return passes;
}

ir::Kernel simplify(ir::Kernel kernel, const Observer& observer) {
  observer.done("graph", kernel);
  for (const Pass& pass : simplifying_passes()) {
    kernel = pass.run(kernel);
    observer.done(pass.name, kernel);
  }
  if (observer.tamper) kernel = observer.tamper(kernel);
  return with_steps(std::move(kernel), [&](ir::Kernel step) { return simplify(std::move(step), observer); });
}

ir::Kernel make_program(ir::Kernel kernel, const ScheduleOptions& options, const Observer& observer) {
  kernel = prefer_positive_names(kernel);
  observer.done("positive-names", kernel);
  kernel = schedule(std::move(kernel), options);
  ScheduleOptions in_one_part;
  in_one_part.max_operations = INT_MAX;
  in_one_part.limb_loops = options.limb_loops;
  kernel = with_steps(std::move(kernel),
                      [&](ir::Kernel step) { return make_program(std::move(step), in_one_part, observer); });
  observer.done("program", kernel);
  return kernel;
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names{"graph"};
  for (const Pass& pass : simplifying_passes()) names.emplace_back(pass.name);
  names.insert(names.end(), {"positive-names", "program"});
  return names;
}

}  // namespace featherline::passes
