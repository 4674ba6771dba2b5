#include "passes/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace featherline::passes {
namespace {

using ir::Node;
using ir::NodeId;
using ir::Op;

/// Loops and what is between them take turns: turn 0 is before the first loop, loop 0 follows it.
class Turns {
 public:
  explicit Turns(const ir::Graph& graph) : graph_(graph), turn_(graph.size(), 0) {
    for (NodeId id = 0; id < graph.size(); ++id) {
      for (const NodeId operand : ir::Operands(graph[id])) turn_[id] = std::max(turn_[id], turn_[operand]);
      if (leaves_lanes(id)) ++turn_[id];
    }
  }

  /// Turn, whether it is in a loop, and the number of limbs.
  using Place = std::tuple<int, bool, int>;
  Place of(const ir::Statement& statement) const {
    const NodeId id = statement.value;
    const bool is_sum = statement.store < 0 && graph_[id].op == Op::lane_sum;
    if (is_sum) return {turn_[id] - 1, true, graph_[graph_[id].a].lanes};
    return {turn_[id], graph_[id].lanes > 1, graph_[id].lanes};
  }

 private:
  bool leaves_lanes(NodeId id) const { return graph_[id].op == Op::lane || graph_[id].op == Op::lane_sum; }

  const ir::Graph& graph_;
  std::vector<int> turn_;  // by node: the turn in which it can be used first
};

}  // namespace

ir::StraightLine in_limb_loops(const ir::Kernel& kernel, std::vector<ir::Statement> statements) {
  const Turns turns(kernel.graph);
  std::stable_sort(statements.begin(), statements.end(),
                   [&](const ir::Statement& a, const ir::Statement& b) { return turns.of(a) < turns.of(b); });
  ir::StraightLine line;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto [turn, in_loop, lanes] = turns.of(statements[k]);
    if (!in_loop) continue;
    const bool continues = k > 0 && turns.of(statements[k - 1]) == turns.of(statements[k]);
    if (!continues) line.loops.push_back({k, 0, lanes});
    ++line.loops.back().count;
  }
  line.statements = std::move(statements);
  return line;
}

}  // namespace featherline::passes
