#include "passes/simplify.hpp"

#include <utility>

namespace featherline::passes {

using ir::NodeId;
using ir::Op;
using ir::Scalar;

ir::Kernel with_fewer_flops(ir::Kernel a, ir::Kernel b) {
  return ir::count_cost(b).flops < ir::count_cost(a).flops ? std::move(b) : std::move(a);
}

Rewriter::Rewriter(const ir::Kernel& source)
    : source_(source), values_(source.graph.size()), uses_(ir::count_uses(source)) {
  result_.name = source.name;
  result_.formulation = source.formulation;
  result_.inputs = source.inputs;
  result_.outputs = source.outputs;
  result_.locals = source.locals;
  result_.steps = source.steps;
  result_.mirrored = source.mirrored;
  result_.inertia_tables = source.inertia_tables;
  for (NodeId id = 0; id < source.graph.size(); ++id) {
    if (uses_[id] > 0) order_.push_back({id, source.graph[id].section});
  }
  result_.graph.reserve(static_cast<NodeId>(order_.size()));
}

Rewriter::Rewriter(const ir::Kernel& source, std::vector<Visit> order) : Rewriter(source) {
  order_ = std::move(order);
}

ir::Kernel Rewriter::run() {
  const ir::Graph& graph = source_.graph;
  std::uint32_t open_section = 0;
  for (const auto& [id, section] : order_) {
    if (section != std::exchange(open_section, section))
      result_.graph.begin_section(graph.sections()[section], graph.sweep(section));
    values_[id] = rewrite(id);
    for (const std::string& name : graph.labels(id)) result_.name_value(values_[id], renamed(id, name));
    if (!graph.hint(id).empty()) result_.hint(values_[id], renamed(id, graph.hint(id)));
  }
  for (const ir::Store& s : source_.stores) result_.scatter(s.buffer, source_.entries(s), stored(s.value));
  return std::move(result_);
}

Scalar Rewriter::rebuild(NodeId id) {
  const ir::Node& node = source_.graph[id];
  ir::Graph& graph = result_.graph;
  const Scalar& a = ir::arity(node.op) >= 1 ? values_[node.a] : values_[id];
  const Scalar& b = ir::arity(node.op) == 2 ? values_[node.b] : values_[id];
  switch (node.op) {
    case Op::constant:
      return lane_numbers(graph, source_.graph.lane_values(id));
    case Op::input:
      return {graph, graph.input(static_cast<int>(node.a), static_cast<int>(node.b))};
    case Op::gather:
      return {graph, graph.gather(static_cast<int>(node.a), source_.graph.entries(id))};
    case Op::lane:
      return lane(a, static_cast<int>(node.b));
    case Op::lane_sum:
      return lane_sum(a, source_.graph[node.a].lanes);
    default:
      return apply(node.op, a, b);
  }
}

}  // namespace featherline::passes
