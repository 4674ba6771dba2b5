#include "passes/rewrite.hpp"

#include "support/diagnostic.hpp"

namespace featherline::passes {

using ir::NodeId;
using ir::Op;
using ir::Scalar;

std::vector<int> count_uses(const ir::Function& function) {
  const std::vector<bool> live = ir::live_nodes(function);
  std::vector<int> uses(function.graph.size(), 0);
  for (NodeId id = 0; id < function.graph.size(); ++id) {
    if (!live[id]) continue;
    const ir::Node& node = function.graph[id];
    if (ir::arity(node.op) >= 1) ++uses[node.a];
    if (ir::arity(node.op) == 2) ++uses[node.b];
  }
  for (const ir::Store& store : function.stores) ++uses[store.value];
  return uses;
}

Rewriter::Rewriter(const ir::Function& source)
    : source_(source), values_(source.graph.size()), uses_(count_uses(source)) {
  result_.name = source.name;
  result_.formulation = source.formulation;
  result_.inputs = source.inputs;
  result_.outputs = source.outputs;
  result_.completion = source.completion;
}

ir::Function Rewriter::run() {
  const ir::Graph& graph = source_.graph;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (uses_[id] == 0) continue;
    enter_section(graph[id].section);
    values_[id] = rewrite(id);
    if (const std::string& label = graph.node_name(id); !label.empty())
      result_.name_value(values_[id], label);
  }
  for (const ir::Store& s : source_.stores) result_.store(s.parameter, s.entry, values_[s.value]);
  return std::move(result_);
}

void Rewriter::enter_section(std::uint32_t section) {
  if (section == section_) return;
  section_ = section;
  result_.graph.begin_section(source_.graph.sections()[section], source_.graph.sweep(section));
}

Scalar Rewriter::rebuild(NodeId id) {
  const ir::Node& node = source_.graph[id];
  ir::Graph& graph = result_.graph;
  const Scalar& a = ir::arity(node.op) >= 1 ? values_[node.a] : values_[id];
  const Scalar& b = ir::arity(node.op) == 2 ? values_[node.b] : values_[id];
  switch (node.op) {
    case Op::constant:
      return {graph, graph.constant(source_.graph.lane_values(id))};
    case Op::input:
      return {graph, graph.input(static_cast<int>(node.a), static_cast<int>(node.b))};
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::sqrt:
      return sqrt(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::broadcast:
      return {graph, graph.broadcast(ir::materialise(graph, a), node.lanes)};
    case Op::lane_sum:
      return {graph, graph.lane_sum(ir::materialise(graph, a))};
  }
  throw InternalError("unknown operation in the expression graph");
}

}  // namespace featherline::passes
