#include "ir/function.hpp"

#include <set>

namespace featherline::ir {

std::vector<bool> live_nodes(const Function& function) {
  const Graph& graph = function.graph;
  std::vector<bool> live(graph.size(), false);
  for (const Store& store : function.stores) live[store.value] = true;
  for (NodeId id = graph.size(); id-- > 0;) {  // operands have smaller ids: one backward sweep is enough
    if (!live[id]) continue;
    const Node& node = graph[id];
    if (arity(node.op) >= 1) live[node.a] = true;
    if (arity(node.op) == 2) live[node.b] = true;
  }
  return live;
}

Cost count_cost(const Function& function) {
  const std::vector<bool> live = live_nodes(function);
  Cost cost;
  std::set<NodeId> angles;
  for (NodeId id = 0; id < function.graph.size(); ++id) {
    if (!live[id]) continue;
    const Node& node = function.graph[id];
    switch (node.op) {
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::neg:
        ++cost.flops;
        break;
      case Op::lane_sum:
        cost.flops += function.graph[node.a].lanes - 1;
        break;
      case Op::sqrt:
        ++cost.sqrt;
        break;
      case Op::sin:
      case Op::cos:
        if (angles.insert(node.a).second) cost.sincos += function.graph[node.a].lanes;
        break;
      case Op::constant:
      case Op::input:
      case Op::gather:
      case Op::lane:
        break;
    }
  }
  return cost;
}

}  // namespace featherline::ir
