#include "passes/simplify.hpp"

#include "support/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <variant>

namespace featherline::passes {
namespace {

std::uint64_t mix(std::uint64_t x, std::uint64_t y) {
  x = (x ^ y) * 0x9E3779B97F4A7C15ull;
  return x ^ (x >> 29);
}

/// By node a number that depends on what the node computes alone, not on when it was created.
std::vector<std::uint64_t> fingerprints(const ir::Graph& graph) {
  std::vector<std::uint64_t> prints;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    std::uint64_t print = mix(static_cast<std::uint64_t>(node.op), node.lanes);
    if (node.op == Op::constant) {
      for (const double value : graph.lane_values(id))
        print = mix(print, std::bit_cast<std::uint64_t>(value));
    } else if (node.op == Op::gather) {
      for (const int entry : graph.entries(id)) print = mix(print, static_cast<std::uint64_t>(entry));
    }
    if (node.op == Op::add || node.op == Op::mul) {  // in either order
      const std::uint64_t a = prints[node.a], b = prints[node.b];
      print = mix(print, a + b + a * b);
    } else {
      for (const NodeId operand : ir::Operands(node)) print = mix(print, prints[operand]);
    }
    if (node.op == Op::input || node.op == Op::gather) print = mix(print, node.a);
    if (node.op == Op::input || node.op == Op::lane) print = mix(print, node.b);
    prints.push_back(print);
  }
  return prints;
}

/// The live nodes in the order in which their algorithm kept them, each right behind those it needs.
std::vector<Rewriter::Visit> order_of(const ir::Kernel& kernel) {
  const ir::Graph& graph = kernel.graph;
  const std::vector<bool> live = ir::live_nodes(kernel);
  const std::vector<std::uint64_t> prints = fingerprints(graph);
  std::vector<bool> placed(graph.size(), false);
  // Those that are not placed yet, the first one on top: as they were written;
  // where that was both ways, by fingerprint.
  const auto push_operands = [&](NodeId id, std::vector<NodeId>& stack) {
    const Node& node = graph[id];
    const auto height = static_cast<std::ptrdiff_t>(stack.size());
    for (const NodeId operand : ir::Operands(node)) {
      if (!placed[operand]) stack.push_back(operand);
    }
    const bool swapped = graph.has_both_orders(id) ? prints[node.b] < prints[node.a] : node.swapped;
    if (!swapped) std::reverse(stack.begin() + height, stack.end());
  };
  std::vector<Rewriter::Visit> order;
  std::vector<NodeId> stack;  // depth first, with a stack of its own: chains of additions can be long
  for (const auto& [value, section] : graph.kept()) {
    if (live[value]) stack.push_back(value);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      const std::size_t height = stack.size();
      if (!placed[id]) push_operands(id, stack);
      if (stack.size() > height) continue;
      if (!placed[id]) order.push_back({id, section});
      placed[id] = true;
      stack.pop_back();
    }
  }
  return order;
}

/// a*b + a*c as a * (b + c).
class Factoring : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  Scalar rewrite(NodeId id) override {
    const Node& node = source().graph[id];
    if (!is_sum(node.op)) return rebuild(id);
    const Node& x = source().graph[node.a];
    const Node& y = source().graph[node.b];
    // Only where both products are used nowhere else: otherwise nothing is saved.
    if (x.op != Op::mul || y.op != Op::mul || uses(node.a) != 1 || uses(node.b) != 1) return rebuild(id);
    for (const auto& [factor, left] : {std::pair(x.a, x.b), std::pair(x.b, x.a)}) {
      for (const auto& [other, right] : {std::pair(y.a, y.b), std::pair(y.b, y.a)})
        if (factor == other) return value(factor) * apply(node.op, value(left), value(right));
    }
    return rebuild(id);
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

/// The sine of an entry that is a lane of another angle, too: panels of a robot whose M is in limb lanes read both.
class SharedSines : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  Scalar rewrite(NodeId id) override {
    const ir::Graph& all = source().graph;
    const Node& node = all[id];
    const bool is_entry = is_trigonometric(node.op) && all[node.a].op == Op::input;
    for (NodeId other = 0; is_entry && other < all.size(); ++other) {
      const NodeId angle = all[other].a;
      if (uses(other) == 0 || all[other].op != node.op || all[angle].op != Op::gather) continue;
      const std::vector<int>& entries = all.entries(angle);
      const auto found = std::ranges::find(entries, static_cast<int>(all[node.a].b));
      if (all[angle].a != all[node.a].a || found == entries.end()) continue;
      const Scalar lanes{graph(), graph().gather(static_cast<int>(all[angle].a), entries)};
      return lane(apply(node.op, lanes, lanes), static_cast<int>(found - entries.begin()));
    }
    return rebuild(id);
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

using ir::Store;

struct SignedValue {
  NodeId value;
  bool negated;
};

SignedValue without_negation(const ir::Graph& graph, NodeId id) {
  const ir::Node& node = graph[id];
  return node.op == ir::Op::neg ? SignedValue{node.a, true} : SignedValue{id, false};
}

}  // namespace

ir::Kernel order_as_kept(const ir::Kernel& kernel) { return Rewriter(kernel, order_of(kernel)).run(); }

ir::Kernel remove_dead_code(const ir::Kernel& kernel) { return Rewriter(kernel).run(); }

ir::Kernel round_constants(const ir::Kernel& kernel) { return RoundConstants(kernel).run(); }

ir::Kernel factor_products(const ir::Kernel& kernel) { return Factoring(kernel).run(); }

ir::Kernel share_sines(const ir::Kernel& kernel) { return SharedSines(kernel).run(); }

const std::vector<Pass>& simplifying_passes() {
  static const std::vector<Pass> passes{
      {"order", order_as_kept},
      {"round-constants", round_constants},
      {"factor-products", factor_products},
      {"mirror-limbs", mirror_limbs},
      {"share-sines", share_sines},
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
  ScheduleOptions of_steps = options;
  of_steps.zeros_apart = false;
  kernel = with_steps(std::move(kernel),
                      [&](ir::Kernel step) { return make_program(std::move(step), of_steps, observer); });
  observer.done("program", kernel);
  return kernel;
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names{"graph"};
  for (const Pass& pass : simplifying_passes()) names.emplace_back(pass.name);
  names.insert(names.end(), {"positive-names", "program"});
  return names;
}

PackedKernel pack(const ir::Kernel& kernel) {
  const ir::Graph& graph = kernel.graph;
  PackedKernel result{kernel, {}};
  result.kernel.stores.clear();
  for (int p = 0; p < static_cast<int>(kernel.outputs.size()); ++p) {
    std::vector<Store> stores;
    std::ranges::copy_if(kernel.stores, std::back_inserter(stores),
                         [&](const Store& s) { return s.buffer == p && !graph.is_zero(s.value); });
    std::map<NodeId, int> indices;  // of every distinct value, in creation order; lanes take consecutive ones
    for (const Store& s : stores) indices.emplace(without_negation(graph, s.value).value, 0);
    int size = 0;
    for (auto& [value, index] : indices) {
      const int lanes = graph[value].lanes;
      index = size;
      size += lanes;
      result.kernel.stores.push_back({p, index, value, lanes > 1 ? 1 : 0});
    }
    result.kernel.outputs[static_cast<std::size_t>(p)].size = size;
    std::vector<PackedEntry>& map = result.maps.emplace_back();
    for (const Store& s : stores) {
      const SignedValue x = without_negation(graph, s.value);
      int packed = indices.at(x.value);
      for (const int entry : kernel.entries(s)) map.push_back({entry, packed++, x.negated});
    }
    std::ranges::sort(map, {}, &PackedEntry::dense_index);
  }
  // Negations that only made dense entries are gone; signs may now be better the other way round.
  result.kernel = sink_negations(remove_dead_code(result.kernel));
  return result;
}

}  // namespace featherline::passes
