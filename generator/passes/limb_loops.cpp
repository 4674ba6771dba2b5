#include "passes/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace featherline::passes {

ir::StraightLine in_limb_loops(const ir::Kernel& kernel, std::vector<ir::Statement> statements) {
  const ir::Graph& graph = kernel.graph;
  // Loops and what is between them take turns: turn 0 is before the first loop, loop 0 follows it.
  std::vector<int> turn(graph.size(), 0);  // by node: the turn in which it can be used first
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (const NodeId operand : ir::Operands(graph[id])) turn[id] = std::max(turn[id], turn[operand]);
    if (graph[id].op == Op::lane || graph[id].op == Op::lane_sum) ++turn[id];
  }
  // Turn, whether it is in a loop, and the number of limbs.
  const auto place = [&](const ir::Statement& statement) -> std::tuple<int, bool, int> {
    const ir::Node& node = graph[statement.value];
    const bool is_sum = statement.store < 0 && node.op == Op::lane_sum;
    if (is_sum) return {turn[statement.value] - 1, true, graph[node.a].lanes};
    return {turn[statement.value], node.lanes > 1, node.lanes};
  };
  std::ranges::stable_sort(statements, {}, place);
  ir::StraightLine line;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto [turn_of_loop, in_loop, lanes] = place(statements[k]);
    if (!in_loop) continue;
    const bool continues = k > 0 && place(statements[k - 1]) == place(statements[k]);
    if (!continues) line.loops.push_back({k, 0, lanes});
    ++line.loops.back().count;
  }
  line.statements = std::move(statements);
  return line;
}

}  // namespace featherline::passes
