#include "algorithms/derivatives/rates.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace featherline::algorithms {
namespace {

using ir::NodeId;
using ir::Op;

/// The rate of a node from those of its operands, da and db.
Scalar rate_of(ir::Graph& graph, NodeId id, const Scalar& da, const Scalar& db) {
  const ir::Node node = graph[id];
  const auto value = [&](NodeId operand) { return Scalar(graph, operand); };
  switch (node.op) {
    case Op::add:
      return da + db;
    case Op::sub:
      return da - db;
    case Op::mul:
      return node.a == node.b ? da * value(node.a) * Scalar(2.0) : da * value(node.b) + value(node.a) * db;
    case Op::div:
      return (da - value(id) * db) / value(node.b);
    case Op::neg:
      return -da;
    case Op::sqrt:
      return da / (Scalar(2.0) * value(id));
    case Op::sin:
    case Op::sine:
      return cos(value(node.a)) * da;
    case Op::cos:
    case Op::cosine:
      return -(sin(value(node.a)) * da);
    case Op::atan:
      return da / (Scalar(1.0) + value(node.a) * value(node.a));
    case Op::lane_sum:
      return ir::lane_sum(da, graph[node.a].lanes);
    default:
      throw InternalError(std::string("rates know none of ") + ir::name(node.op));
  }
}

/// The nodes that the values are made of, operands first.
std::vector<NodeId> nodes_of(const Coordinates& values) {
  std::vector<bool> is_one;
  ir::Graph* graph = nullptr;
  for (const Scalar& x : values) {
    if (x.is_constant()) continue;
    graph = x.graph();
    is_one.resize(graph->size(), false);
    is_one[x.id()] = true;
  }
  std::vector<NodeId> nodes;
  for (auto id = static_cast<NodeId>(is_one.size()); id-- > 0;) {
    if (!is_one[id]) continue;
    nodes.push_back(id);
    for (const NodeId operand : ir::Operands((*graph)[id])) is_one[operand] = true;
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

Coordinates rates(const Coordinates& values, const std::vector<Changing>& inputs) {
  std::unordered_map<NodeId, Scalar> known;  // zero where there is none
  const auto of_node = [&](NodeId id) {
    const auto found = known.find(id);
    return found == known.end() ? Scalar(0.0) : found->second;
  };
  for (const auto& [input, rate] : inputs) {
    for (std::size_t k = 0; k < input.size(); ++k) known[input[k].id()] = rate[k];
  }
  const auto first = std::ranges::find_if(values, [](const Scalar& x) { return !x.is_constant(); });
  for (const NodeId id : nodes_of(values)) {
    const ir::Node node = (*first->graph())[id];
    if (ir::arity(node.op) == 0) continue;
    const Scalar da = of_node(node.a), db = ir::arity(node.op) == 1 ? Scalar(0.0) : of_node(node.b);
    if (!da.is_zero() || !db.is_zero()) known[id] = rate_of(*first->graph(), id, da, db);
  }
  return mapped(values, [&](const Scalar& x) {
    if (x.is_constant()) return Scalar(0.0);
    return x.negated() ? -of_node(x.id()) : of_node(x.id());
  });
}

}  // namespace featherline::algorithms
